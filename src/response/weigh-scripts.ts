/** What a UTF-16 unit beyond Latin letters costs in tokens, script by script, as measured on running text. */

/** Last code of a stretch, and the tokens each of its units costs. */
const stretches: ReadonlyArray<readonly [number, number]> = [
  [0xbf, 0.9], // Latin-1 signs
  [0x24f, 0.5], // Latin letters with accents
  [0x36f, 0.9], // phonetic letters, combining marks
  [0x3ff, 0.45], // Greek
  [0x44f, 0.3], // Cyrillic
  [0x45f, 0.75], // letters that Russian lacks
  [0x52f, 0.4],
  [0x58f, 0.4], // Armenian
  [0x5ff, 0.46], // Hebrew
  [0x66f, 0.39], // Arabic
  [0x6cf, 0.46], // Persian, Urdu
  [0x6ff, 0.9], // Kurdish
  [0x7ff, 0.6],
  [0x97f, 0.39], // Devanagari
  [0xaff, 0.46], // Bengali, Gurmukhi, Gujarati
  [0xdff, 0.4], // the scripts of southern India
  [0xeff, 0.4], // Thai, Lao
  [0xfff, 1.2], // Tibetan
  [0x109f, 0.57], // Myanmar
  [0x10ff, 0.4], // Georgian
  [0x11ff, 1], // old Hangul
  [0x139f, 2.2], // Ethiopic
  [0x177f, 1.6],
  [0x17ff, 0.66], // Khmer
  [0x1dff, 1.6],
  [0x1eff, 0.5],
  [0x1fff, 1.5],
  [0x206f, 0.9], // dashes, quotation marks
  [0x2fff, 1.4], // signs, arrows, boxes
  [0x303f, 0.85], // CJK marks
  [0x30ff, 0.63], // kana
  [0x33ff, 1.4],
  [0x4dbf, 2.9],
  [0x9fff, 0.73], // Han
  [0xabff, 2.2],
  [0xd7ff, 0.64], // Hangul
  [0xdfff, 1], // half of a pair: emoji, mostly
  [0xf8ff, 2.9], // private use
  [0xfaff, 2.5],
  [0xfe0f, 0.6], // presentation forms
  [0xffff, 0.8], // full-width forms
];

const costs: Float32Array = layOut();

function layOut(): Float32Array {
  const table = new Float32Array(0x10000 >> 4);
  let from = 0;
  for (const [last, cost] of stretches) {
    for (let code = from; code <= last; code += 16) table[code >> 4] = cost;
    from = last + 1;
  }
  return table;
}

/** Han characters of running text that only the traditional script writes: few of them are joined to others. */
const traditional: ReadonlySet<number> = new Set(
  Array.from(
    "們個這來時說對會為過後發經與現動實還進種樣學應長開關問題從點見無間將體機話當義車書請認電議員總東門馬魚鳥龍風頭業產務單訂網確庫貨戶許達設計較選擇數據處備資訊標準錯誤檢視輸變區國際號碼聯結繼續權執續錄類導節級線約紅綠給統組織終縮編緩練讀譯論調談證詞試該詳認誰課讓貝負財貴買費貸貿賣賬購賽贈轉輕載農邊遠運違適遲郵釋鐘針銀銷鎖錢鏈陸陽隊階隨險雖雙雜離難雲霧靜預領頁順須顧顯飛館驗驚髮鬥麗黃齊齡灣臺萬億兩亞產傳價優償兒內冊軍勞勢勝勵協參啟嗎圖團圍場塊報壓夠夢奪婦嬰審寫寬寶專尋導屬歲島幣師帶幫廣廠張強彈彙復徵慮憶懷戰戲擁擊擔據損撥擴攝敗敵斷時晉條極構槍樂樓檔歐歸殺氣決沒況淚淨減測準溫滅滿漢潔濟瀏灣災為煙熱營爭爾牆狀獎獨獲環畫異療盡監盤礎稱稅積穩窮競筆築簡簽糧紀純紙細終結絕維網緊總績繪罰聞聲聽職腦腳膚臉舉舊藝藥處虛蟲補裝裡製複規覺覽觀觸計訓記訪設註評該誠語誤誦請諾謝識護譽豐貢責貼賀質贊趕跡踐輛輪辦農連週進遊遞邏郵鄰醫鄉鍵鏡鐵閉閱陣隱雞韓響頓頻頗額願顆饋駕駛騎驅體鬆魯鮮鹽麼點黨",
    (character) => character.charCodeAt(0),
  ),
);
const traditionalCost = 1.1;

/** Tells the tokens that one UTF-16 unit adds. */
export function otherScriptCost(code: number): number {
  if (code >= 0x4e00 && code <= 0x9fff && traditional.has(code)) return traditionalCost;
  return costs[code >> 4] ?? 1;
}

/** What a letter adds that no western language has. */
export const centralAccent: number = 1.15;
/** What a letter with an accent adds to its word: those of French or German little, those of rarer languages more, Vietnamese least. */
const accentCosts = { western: 0.6, central: centralAccent, vietnamese: 0.12 } as const;

/** Tells what a Latin letter beyond ASCII adds to its word, in tokens. */
export function accentCost(code: number): number {
  if (code < 0x100) return accentCosts.western;
  const isVietnamese = code >= 0x1e00 || code === 0x1a1 || code === 0x1b0 || code === 0x111;
  return isVietnamese ? accentCosts.vietnamese : accentCosts.central;
}
