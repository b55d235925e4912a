/** Where a byte-pair tokenizer tends to cut: logits fitted to o200k_base, as text of one character each. */

/** Digits of the tables: a character's place here, less 32, is eight times the logit. */
export const weightDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Punctuation the tables know, in their order; space and line break included. A run's edge comes after the last. */
export const punctuation = " \n\t!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

/** Of a cut behind the second letter of a pair: rows are the first letter, then `a` to `z` and a word's edge. */
export const pairBefore: string =
  "ZbZgfjgniqmYcZeVneZOZgjlkngZpiicgmeaaidclVehfYZMgallagejhfeikiWkgalmVmnbjpclXpbjgcqdaetXeNliaceSinjv" +
  "ggVetjjgUlereicbUfkgibXVhdgZYcedglgRljhbjoccijhakYkjdfkYhjvgjgZkjfilfgWndhdfWegggaWqjirhgVgejZnenVke" +
  "chjZokkeZXglmhpggjZccagjflsccYgjomfbWllnhdgYhdfeYbOdpgbgdZZmddbcgWgclgXdVXOYbmakoeigdagjclciqkgbgVVi" +
  "hgnkZQjehdiDdjhmjRggkregScikZhobWfetjYVfjptmaiprxegZeihdajnSifabYbRlnZcafdpxlgNbXebcihbhajiiRfmchadh" +
  "jiqcgQhkZbefhadibqnSejbilajcoiegNXbeeXfYOecuaZXkwlaladWmiggThhbXbeWOjkdgjZblWdjXjhulcgVddaZZsoPplfkZ" +
  "choffZQXikWrgUdagYfVXHnjbaeRYlbjcYlaoWlgbkbjkYhhYbtbbgVaiWZcaqkppjgRgfYcelXYefildWmi2fdcmaggjgVibiam" +
  "pcZkdfobdfkiihYhgljegUfYfXmeVWfffVjZZdqafcbZrnggSXdhVbbXSfWcXjkfkgdcXahmmngSZZZeVjaibgZZdXVhdTYVcksn" +
  "qgVcXcbfhcYkjbaaeeseZYejhqmqg";

/** Of a cut inside a pair of letters. */
export const pairAcross: string =
  "oBNG8UIrcfdCEE3KkCDFhGcaYXghaknXogpaUkPmobnpagmTqnmVnghsYjRroAitNNkuYmpToLdotjhhgdcrXTdkmWbicolaplme" +
  "memniifglddLoTalkpnYIApiVAKYuYcBfhgamipgTjsVwiZpmblsadbenfZhtgjgmuYqiQgjxcnZepyTpmcddoaogbpunSirneln" +
  "nnqXfggrWcojkjfgiSOBXLKsreUFUCbQeUHI1Pti2LgYkqoUonpkbinqkddlsStammtl7gbltoZnZdgnfjhWkw7lokebbpf0gfhm" +
  "VTioqankUqoVj5tekdcqwVvgVVnlUlfsgjjeUqfRasemmqhfaqgfuTNfjIjkeagljdl0sUSWcpmXfgvRaL6RalmdOPMAbLsGUcKU" +
  "KgkngbiihRkjQcobJcicbmPaQhloedugrkfjt5snk57TnpkiPcibFpsqr5gdscaJiXubuegYhOnffVXgeghfugdsdiYjoPiibpep" +
  "fidqQEadmtgdggshoXjyGbpjogwhb-QlifiebXjgdNcaZgZmcqVVMK0PsNCOpcididgOmguRnfqXqgneqYfrcmumgknskgWmqjdg" +
  "rPamqvlYdl6cYrmoXgiygeiecrh4ti72ncmsZ3glXss5ZefgoqnoezmyopmijbWY5jYklxkhmhgbrvjejeeelkxeiqw6svrgrVde" +
  "Rgggggggggggggggggggggggggggg";

/** Of a cut before a pair of letters. */
export const pairAfter: string =
  "RhgfcjdhbopbWeblWdcZcphhenTlmclhajXlVcmbnmdavYfiTXerWfgfgldbahaPcnlejjXceSbcbjegejvXhejWgdhbWmZjcTff" +
  "hnaYjaaYJcSdUZYKSacdidUVXXebPXXhSdOdjmmkglbVcdsalfmbtjjhelrbdiaflhcbefdeWmegifbjZibhggpYegadnjgaccdY" +
  "dhfdkgkkgkaieijfcffejjchflrejdJXiefXcZelciWojiqeijdknjliksngs7nsmilkgpkjiicWgpigonjjpifjclkkmikWladm" +
  "YcaeeeWbVggTcRedVYaYWZYaeagqdbcZXVcUhgjfYmkghWijqXeThVfYZboViTSaghgUgWXoXaXlWaUlkdbcaiYbohdVZfbXiWhl" +
  "WbkeakaiaXlcjabngjjcfVtdcaZenhXekhitqfhllemuppiqusswjkfolluWZccheYVXcRSZRaYOZZehXTacbbfcicaTkkXYmlof" +
  "VkXXcdVabRfZWZbYhXZVTLUjYWVfSWnSdOeYlgbVYcYkPgjnddvcahglddeblslmmqdiqnidhcXjeenocmmargffgZhdajbnjioj" +
  "fwgfffqejiVundgafekbjifijepeacXdefhbeXhhmcebmkcingeghZhdfbelZhjddilgfYZdlbanniqkmpnniqkmlmhdgqplkvoo" +
  "soggggggggggggggggggggggggggg";

/** Of a cut behind the second mark of a pair. */
export const markBefore: string =
  "gggkJVYUWOSdPhrbdYtpPYhXweriMmoKYa-ggZgggggggggggggggQgggggggggggggggggggggggggggggggggggggggggggggg" +
  "gggggggggVggOgnggOgnTggaQWgdZZgggVcggghggZgggigjXYaggOQhkgTagzfdsHuqogSgRikUZpgggbgOgXuggggggggggggg" +
  "ggggpgggggggggggggggUggogggPggggg3ggggggrggggggvggggggggSZgsrZggggpggggggggggggRpgTggdTggggggggggqgg" +
  "gggggggggggggggggggggggggigkXtWgglPqfvqbkPphUgSgTlJmgbTvgmSggZgXZVagsZhWgYqgYhgV2gPjggrggTipggVggigY" +
  "LgjggZioqrcSpSvZWgsoguyoomlbhRgggUggLgdggbXgzgnsMbQggggSgtXWgUUgggggggggggiggaKTgmgognVegvgggguggWgg" +
  "gggggbggogaWggvJbgruaupnZggggaVRgfgTgfSggSggMgaggZvaYgUjZgTggZKOggueggSgvgVggbggagXggdi3jupomXggVgUU" +
  "ggmLgPaggNVggsgXjvWgghSLgNgZQrgVgeqixZeWjSkrVXqggZggegUggt4ZWrgQgcmoZggggoSQgagaugoggZggSggggoriggPV" +
  "tkWzOggggggggahgggTggggbYggggggggggbg1gggmogggSgggTTgggggOggrgvrggVggogggWgggobgggYUggQgggoggWguQgZg" +
  "gpQdggcgXgPTUnnngoghggOggggggYggUgfggackZgggpa0gUhdrggXYggPgggggggggbXZXggRgmgggggggggggggaggbpggggg" +
  "gTgWsgYgg8ggegggRYggggggglRrogmZgggggggXzggggKUgaOprbpgYgggiQXuZgQgRsYmggUgZKggggUvmuqngjwgUZgYhtpYb" +
  "gjfgvmgggyggUggoggjggggmggghgggggggggggggggggWggJgXggWsScWptWwygggcgggrSovYgWggggbgXYdVggkUNfsYlQpdS" +
  "gYHopdgOglisfVgggQgg0ggggVggggTgUbggggggggUggZgxgngggYggggpgggMPgggRgTggggggggUgggqgvggggXgnUgirgRog" +
  "ggQVSZQWZgFgrWgWgVgwgpgggggggggggggRgggUTgiogUggggbgggggggpgBggdITgoVgBOWfcgQgUWnISXlmdMuecZ1ang";

/** Of a cut inside a pair of marks. */
export const markAcross: string =
  "gggXNWVXYSZgPZYYSQTXVYWWWRMSYVWSWSUggSgggggggggggggggmgggggggggggggggggggggggggggggggggggggggggggggg" +
  "gggggggggUgQegwugbQMwggaclVWVTgggfdpggzggqgggPgoYpfgyyuSsnPwZSWaspRzlriPwgusvgpggwgegHTgggggggggatgg" +
  "gggprggggggggggggggg3ggpggSxggggvDggggggqggggggLggggggggfogSunggggYggggggggggggsXgpggrsggbgggVggWrgg" +
  "ggggggggggggggsggggggggggVgyLQlggfsAsXMmkgUKogtggsfAgd5ogitggigTXtUgZSROgYsavMgnfglmUdsggdUUggaggHgv" +
  "mgoggkpLoeGhNwRBlgXsgqxlretkrqgggVggzgpggqkgAgfYpWsvgggPgs6wgnzggggggaggggutgxtqgKgWVirVgQgggSbggpsg" +
  "gggggNggbgwqgSpzsgrUSkqtwggggpftgxWUg0qgggggsgSRg4fyrgqHoV3ggvVrsg0wvZ0U3gxggKggUUVVWboYwnTTANYgSgqp" +
  "Ugk3gisvg3uggkgvhJrTnbcxHdNhpPt3mnWhKenpin5RqufggIggmggggRASiUZzTWWuSggggSoygwQYvgyggEggrgggWvjegg3o" +
  "prwGpgggggWggt2gggsggWgSxgggggQggggWgQggVblPgTYggq2iggggg7ggdgaWgaaggsgggygggIXgWgjwgZwZgg0ggMgungWg" +
  "VicqggSgeastGhUsgvgxggrggggggRgaUgiggUtZzgTgZbXgt1RSgUg3gg1ggggggwggorrpggqgtggu0gggggggMUqggqpggggg" +
  "gfgwNw1ggKTgmglUXuTgtvtsquuDPPZtgggggXgwGgrggjvg2vYxisVnVgwxs0Nngq3wxxsggVgvrggggwlbQgZgRRZMYg0uzZXo" +
  "gq_ZdogggsggoggpggiggggWgggrgggggRTgRggggggggagg3gQggkQoqrigsoThggugpnMxSAyTgggggcgsgwXgsjgsvpc3espc" +
  "nv1uxjzhgicbzppggVggNpggqxqggr9gyjggggguearggywVghgggdggZgsgggqtggg4gygggggggvcgglzgSggggIgksgLWUhgR" +
  "ggetwSPXUg1gWySygSbUgigggugggggggggsgggrsgyqg_gggg3gggggggMggggggggggggggggggggggggggggggggggggg";

/** Of a cut before a pair of marks. */
export const markAfter: string =
  "gggggggggggggggggggggggggggggggggggggWgggggggggggggggRgggggggggggggggggBgggggggggggggggggggggggggggg" +
  "gggggggggpgbxgQgghoggggUolgvgcgggtWgggSggggkgWgbSOOgMWcqMUrJlsvWNRpcScNuZNkQgjTOgighgTtgggggggggoZgg" +
  "gggYogggggggggghggggiggYggqxgggganggggggWggggggfgggfgggggpgnlgggggagggggggggggggpggggWWggbggggggbogg" +
  "ggggggggggggggZggggggggegmgabaagghdxYNbSZYtxZgmgbbZ4gXUUgsaSgigbePZgrxqhgbngbwgPWgUZaviggWpqggRfgSgg" +
  "IgNggUgtmnfYcYfWmgghgUicbYROgogKgkggegUggZngogOrjnhggggQgeaOgbWggggVgaggggnagVqpgYgrssUYgagggoQggWpg" +
  "gggfgNggqgUOgWbJggiqgZZLgggggWgVgVTIgTSNgYggIggggZoYggVcsgSggURRggWegijgMgTXgfggmgMggLjnzjrvigggngZp" +
  "ggfSgemZgTcKghggTWggcPTNlWrgjWWdtRVNSXlYOScXgZOUgrggVgVggg9csuglrwexgggggRQgggyYfgvXgNggZggggmtYgglb" +
  "XTgxkgggggdggrTgggrggggaUggggggggggZgYggvlsgggrggWQggggigJggrgggggtggsgggZgggWegggigggggggUVgYgg1ggg" +
  "gotfggpgVggrTloggjggggmggggWgsg1SgagggSrggvgjwqgceuZgv1NggoggggigbggWqWrgglgggggXgggggggyggggcoggggl" +
  "gcgOcaQggobgcgqqLgrgbQmgbRThpbjTgggVgrgVrgUggqigTQrPWWgdrggPXbvSgmsSdUdXgYggSggggQflpqmgkqpnggkRogjr" +
  "ggUggggOgZggXggXggtggggsggghggggg0tggggggggWgqggMgXggcpzcgrVpnXWggcgXcwgngfX0ggagvggaaigbjSlZbzhlOnt" +
  "YaRbUUYXgVPXXbbZgeggbSggWQcggWSgpVggggggYbcggbgogvgUggggvgRggglVgggvgpgggggggXwggWigiggcgdgTRgqggugg" +
  "ggkglgylggTggarPggqggcgcg0gggggggggbgggVVggjgyggggagggggggipgggggggggggggggggggggggggggggggggggg";

/** Of a cut between one mark and the word it leads. */
export const leadAcross: string = "ByM_zlwhjbGjvomTBUklansPokOrgBw_26s";
