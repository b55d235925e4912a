/** One paragraph in many languages, as a person would write it. */

/** Languages and the paragraph in each. */
export const paragraphs: Readonly<Record<string, string>> = {
  English:
    "My grandmother kept a small garden behind the house, where she grew tomatoes, beans and a few stubborn roses. Every summer we spent two weeks with her, and she taught us how to tell the weather from the wind. The village has changed a lot since then: the school is closed, the bakery has become a café, and most of the young people have moved to the city.",
  German:
    "Meine Großmutter hatte hinter dem Haus einen kleinen Garten, in dem sie Tomaten, Bohnen und ein paar eigensinnige Rosen zog. Jeden Sommer verbrachten wir zwei Wochen bei ihr, und sie brachte uns bei, am Wind das Wetter zu erkennen. Seitdem hat sich das Dorf sehr verändert: Die Schule ist geschlossen, aus der Bäckerei wurde ein Café, und die meisten jungen Leute sind in die Stadt gezogen.",
  French:
    "Ma grand-mère avait derrière la maison un petit jardin où elle faisait pousser des tomates, des haricots et quelques rosiers têtus. Chaque été, nous passions deux semaines chez elle, et elle nous apprenait à deviner le temps d'après le vent. Depuis, le village a beaucoup changé : l'école est fermée, la boulangerie est devenue un café et la plupart des jeunes sont partis en ville.",
  Spanish:
    "Mi abuela tenía detrás de la casa un pequeño jardín donde cultivaba tomates, judías y algunas rosas obstinadas. Cada verano pasábamos dos semanas con ella, y nos enseñaba a adivinar el tiempo por el viento. Desde entonces el pueblo ha cambiado mucho: la escuela está cerrada, la panadería se ha convertido en un café y la mayoría de los jóvenes se han mudado a la ciudad.",
  Italian:
    "Mia nonna aveva dietro casa un piccolo giardino dove coltivava pomodori, fagioli e qualche rosa ostinata. Ogni estate passavamo due settimane da lei, e lei ci insegnava a capire il tempo dal vento. Da allora il paese è cambiato molto: la scuola è chiusa, il panificio è diventato un bar e la maggior parte dei giovani si è trasferita in città.",
  Portuguese:
    "A minha avó tinha atrás da casa um pequeno jardim onde cultivava tomates, feijões e algumas rosas teimosas. Todos os verões passávamos duas semanas com ela, e ela ensinava-nos a adivinhar o tempo pelo vento. Desde então a aldeia mudou muito: a escola está fechada, a padaria tornou-se um café e a maioria dos jovens mudou-se para a cidade.",
  Dutch:
    "Mijn grootmoeder had achter het huis een kleine tuin, waar ze tomaten, bonen en een paar koppige rozen kweekte. Elke zomer logeerden we twee weken bij haar, en ze leerde ons aan de wind te zien wat voor weer het werd. Sindsdien is het dorp erg veranderd: de school is gesloten, de bakkerij is een café geworden en de meeste jongeren zijn naar de stad verhuisd.",
  Swedish:
    "Min mormor hade en liten trädgård bakom huset där hon odlade tomater, bönor och några envisa rosor. Varje sommar var vi hos henne i två veckor, och hon lärde oss att läsa vädret på vinden. Sedan dess har byn förändrats mycket: skolan är stängd, bageriet har blivit ett kafé och de flesta unga har flyttat till staden.",
  Danish:
    "Min bedstemor havde en lille have bag huset, hvor hun dyrkede tomater, bønner og nogle stædige roser. Hver sommer var vi hos hende i to uger, og hun lærte os at læse vejret på vinden. Siden har landsbyen forandret sig meget: skolen er lukket, bageriet er blevet en café, og de fleste unge er flyttet til byen.",
  Finnish:
    "Isoäidilläni oli talon takana pieni puutarha, jossa hän kasvatti tomaatteja, papuja ja muutamia itsepäisiä ruusuja. Joka kesä vietimme hänen luonaan kaksi viikkoa, ja hän opetti meitä ennustamaan säätä tuulesta. Sen jälkeen kylä on muuttunut paljon: koulu on suljettu, leipomosta on tullut kahvila ja useimmat nuoret ovat muuttaneet kaupunkiin.",
  Polish:
    "Moja babcia miała za domem mały ogród, w którym hodowała pomidory, fasolę i kilka upartych róż. Każdego lata spędzaliśmy u niej dwa tygodnie, a ona uczyła nas przewidywać pogodę na podstawie wiatru. Od tego czasu wieś bardzo się zmieniła: szkoła jest zamknięta, z piekarni zrobiono kawiarnię, a większość młodych ludzi przeprowadziła się do miasta.",
  Czech:
    "Moje babička měla za domem malou zahradu, kde pěstovala rajčata, fazole a několik paličatých růží. Každé léto jsme u ní trávili dva týdny a ona nás učila poznávat počasí podle větru. Od té doby se vesnice hodně změnila: škola je zavřená, z pekárny se stala kavárna a většina mladých lidí se odstěhovala do města.",
  Hungarian:
    "A nagymamámnak volt a ház mögött egy kis kertje, ahol paradicsomot, babot és néhány makacs rózsát termesztett. Minden nyáron két hetet töltöttünk nála, és megtanított minket arra, hogyan lehet a szélből megjósolni az időjárást. Azóta sokat változott a falu: az iskola bezárt, a pékségből kávézó lett, és a legtöbb fiatal a városba költözött.",
  Romanian:
    "Bunica mea avea în spatele casei o grădină mică, unde creștea roșii, fasole și câțiva trandafiri încăpățânați. În fiecare vară petreceam două săptămâni la ea, iar ea ne învăța să ghicim vremea după vânt. De atunci satul s-a schimbat mult: școala este închisă, brutăria a devenit cafenea, iar majoritatea tinerilor s-au mutat la oraș.",
  Turkish:
    "Büyükannemin evin arkasında küçük bir bahçesi vardı; orada domates, fasulye ve birkaç inatçı gül yetiştirirdi. Her yaz onun yanında iki hafta geçirirdik ve bize rüzgârdan havayı anlamayı öğretirdi. O zamandan beri köy çok değişti: okul kapandı, fırın bir kafeye dönüştü ve gençlerin çoğu şehre taşındı.",
  Vietnamese:
    "Bà tôi có một khu vườn nhỏ sau nhà, nơi bà trồng cà chua, đậu và vài cây hoa hồng bướng bỉnh. Mỗi mùa hè chúng tôi ở với bà hai tuần, và bà dạy chúng tôi cách đoán thời tiết qua hướng gió. Từ đó đến nay ngôi làng đã thay đổi nhiều: trường học đã đóng cửa, tiệm bánh trở thành quán cà phê và hầu hết người trẻ đã chuyển lên thành phố.",
  Indonesian:
    "Nenek saya punya kebun kecil di belakang rumah, tempat ia menanam tomat, kacang, dan beberapa mawar yang keras kepala. Setiap musim panas kami tinggal dua minggu bersamanya, dan ia mengajari kami menebak cuaca dari arah angin. Sejak itu desa itu banyak berubah: sekolahnya tutup, toko rotinya menjadi kafe, dan sebagian besar anak muda pindah ke kota.",
  Russian:
    "У моей бабушки за домом был небольшой сад, где она выращивала помидоры, фасоль и несколько упрямых роз. Каждое лето мы проводили у неё две недели, и она учила нас угадывать погоду по ветру. С тех пор деревня сильно изменилась: школу закрыли, пекарня стала кафе, а почти вся молодёжь переехала в город.",
  Ukrainian:
    "У моєї бабусі за хатою був невеликий сад, де вона вирощувала помідори, квасолю та кілька впертих троянд. Щоліта ми проводили в неї два тижні, і вона вчила нас вгадувати погоду за вітром. Відтоді село дуже змінилося: школу закрили, пекарня стала кав'ярнею, а більшість молоді переїхала до міста.",
  Bulgarian:
    "Баба ми имаше зад къщата малка градина, в която отглеждаше домати, боб и няколко упорити рози. Всяко лято прекарвахме при нея две седмици и тя ни учеше да познаваме времето по вятъра. Оттогава селото много се промени: училището е затворено, пекарната стана кафене, а повечето млади хора се преместиха в града.",
  Greek:
    "Η γιαγιά μου είχε πίσω από το σπίτι έναν μικρό κήπο, όπου καλλιεργούσε ντομάτες, φασόλια και μερικές πεισματάρικες τριανταφυλλιές. Κάθε καλοκαίρι περνούσαμε δύο εβδομάδες μαζί της και μας μάθαινε να μαντεύουμε τον καιρό από τον άνεμο. Από τότε το χωριό άλλαξε πολύ: το σχολείο έκλεισε, ο φούρνος έγινε καφετέρια και οι περισσότεροι νέοι μετακόμισαν στην πόλη.",
  Hebrew:
    "לסבתא שלי הייתה גינה קטנה מאחורי הבית, ובה גידלה עגבניות, שעועית וכמה ורדים עקשנים. בכל קיץ בילינו אצלה שבועיים, והיא לימדה אותנו לנחש את מזג האוויר לפי הרוח. מאז הכפר השתנה מאוד: בית הספר נסגר, המאפייה הפכה לבית קפה, ורוב הצעירים עברו לעיר.",
  Arabic:
    "كانت لجدتي حديقة صغيرة خلف البيت تزرع فيها الطماطم والفاصوليا وبعض الورود العنيدة. كنا نقضي عندها أسبوعين كل صيف، وكانت تعلمنا كيف نعرف حالة الطقس من الريح. تغيرت القرية كثيرا منذ ذلك الوقت: أغلقت المدرسة، وتحول المخبز إلى مقهى، وانتقل معظم الشباب إلى المدينة.",
  Persian:
    "مادربزرگم پشت خانه باغچه کوچکی داشت که در آن گوجه فرنگی، لوبیا و چند گل رز سرسخت پرورش می‌داد. هر تابستان دو هفته پیش او می‌ماندیم و او به ما یاد می‌داد چگونه از باد، هوا را حدس بزنیم. از آن زمان روستا خیلی تغییر کرده است: مدرسه بسته شده، نانوایی به کافه تبدیل شده و بیشتر جوانان به شهر رفته‌اند.",
  Urdu: "میری دادی کے گھر کے پیچھے ایک چھوٹا سا باغ تھا جہاں وہ ٹماٹر، پھلیاں اور کچھ ضدی گلاب اگاتی تھیں۔ ہر گرمیوں میں ہم دو ہفتے ان کے ساتھ گزارتے تھے اور وہ ہمیں ہوا سے موسم پہچاننا سکھاتی تھیں۔ تب سے گاؤں بہت بدل گیا ہے: اسکول بند ہے، بیکری کیفے بن گئی ہے اور زیادہ تر نوجوان شہر چلے گئے ہیں۔",
  Hindi:
    "मेरी दादी के घर के पीछे एक छोटा सा बगीचा था, जहाँ वे टमाटर, सेम और कुछ ज़िद्दी गुलाब उगाती थीं। हर गर्मी में हम उनके साथ दो हफ़्ते बिताते थे और वे हमें हवा से मौसम पहचानना सिखाती थीं। तब से गाँव बहुत बदल गया है: स्कूल बंद है, बेकरी एक कैफ़े बन गई है और ज़्यादातर युवा शहर चले गए हैं।",
  Bengali:
    "আমার দাদির বাড়ির পেছনে একটি ছোট বাগান ছিল, যেখানে তিনি টমেটো, শিম আর কয়েকটি গোলাপ ফলাতেন। প্রতি গ্রীষ্মে আমরা তাঁর কাছে দুই সপ্তাহ কাটাতাম, আর তিনি আমাদের বাতাস দেখে আবহাওয়া বুঝতে শেখাতেন। তারপর থেকে গ্রামটি অনেক বদলে গেছে: স্কুল বন্ধ, বেকারি এখন একটি ক্যাফে, আর বেশিরভাগ তরুণ শহরে চলে গেছে।",
  Tamil:
    "என் பாட்டிக்கு வீட்டின் பின்னால் ஒரு சிறிய தோட்டம் இருந்தது, அங்கே அவர் தக்காளி, அவரை மற்றும் சில ரோஜாக்களை வளர்த்தார். ஒவ்வொரு கோடையிலும் நாங்கள் அவருடன் இரண்டு வாரங்கள் தங்குவோம், காற்றைப் பார்த்து வானிலையை அறிய அவர் எங்களுக்குக் கற்றுக் கொடுத்தார். அதன் பிறகு கிராமம் மிகவும் மாறிவிட்டது.",
  Thai: "คุณยายของฉันมีสวนเล็กๆ อยู่หลังบ้าน ซึ่งท่านปลูกมะเขือเทศ ถั่ว และกุหลาบสองสามต้น ทุกฤดูร้อนเราไปอยู่กับท่านสองสัปดาห์ และท่านสอนให้เราดูอากาศจากลม ตั้งแต่นั้นมาหมู่บ้านก็เปลี่ยนไปมาก โรงเรียนปิดแล้ว ร้านขนมปังกลายเป็นร้านกาแฟ และคนหนุ่มสาวส่วนใหญ่ย้ายไปอยู่ในเมือง",
  Georgian:
    "ბებიაჩემს სახლის უკან პატარა ბაღი ჰქონდა, სადაც პომიდორი, ლობიო და რამდენიმე ჯიუტი ვარდი მოჰყავდა. ყოველ ზაფხულს ორ კვირას მასთან ვატარებდით და ის გვასწავლიდა, როგორ გამოგვეცნო ამინდი ქარის მიხედვით. მას შემდეგ სოფელი ძალიან შეიცვალა: სკოლა დაიხურა, თონე კაფედ იქცა, ახალგაზრდების უმეტესობა კი ქალაქში გადავიდა.",
  Armenian:
    "Տատիկս տան հետևում մի փոքրիկ այգի ուներ, որտեղ լոլիկ, լոբի և մի քանի համառ վարդ էր աճեցնում։ Ամեն ամառ երկու շաբաթ նրա մոտ էինք անցկացնում, և նա մեզ սովորեցնում էր քամուց գուշակել եղանակը։ Այդ ժամանակից ի վեր գյուղը շատ է փոխվել. դպրոցը փակ է, հացատունը սրճարան է դարձել, իսկ երիտասարդների մեծ մասը տեղափոխվել է քաղաք։",
  "simplified Chinese":
    "我奶奶在屋后有一个小园子，种着西红柿、豆角和几株倔强的玫瑰。每年夏天我们都在她那里住两个星期，她教我们怎样从风向看天气。从那以后，村子变了很多：学校关了门，面包店变成了咖啡馆，大多数年轻人都搬到城里去了。只有那棵老槐树还站在村口，像从前一样等着每一个回家的人。",
  "traditional Chinese":
    "我奶奶在屋後有一個小園子，種著番茄、豆角和幾株倔強的玫瑰。每年夏天我們都在她那裡住兩個星期，她教我們怎樣從風向看天氣。從那以後，村子變了很多：學校關了門，麵包店變成了咖啡館，大多數年輕人都搬到城裡去了。只有那棵老槐樹還站在村口，像從前一樣等著每一個回家的人。",
  Japanese:
    "祖母は家の裏に小さな庭を持っていて、トマトや豆、それに何本かの頑固なバラを育てていた。毎年夏になると私たちは二週間そこで過ごし、風から天気を読む方法を教わった。あれから村はずいぶん変わった。学校は閉まり、パン屋はカフェになり、若い人たちのほとんどは町へ引っ越してしまった。",
  Korean:
    "할머니는 집 뒤에 작은 정원을 가꾸셨는데, 그곳에서 토마토와 콩, 그리고 고집 센 장미 몇 그루를 키우셨다. 여름마다 우리는 할머니 댁에서 두 주를 보냈고, 할머니는 바람을 보고 날씨를 알아맞히는 법을 가르쳐 주셨다. 그 뒤로 마을은 많이 변했다. 학교는 문을 닫았고, 빵집은 카페가 되었으며, 젊은 사람들은 대부분 도시로 떠났다.",
  Swahili:
    "Bibi yangu alikuwa na bustani ndogo nyuma ya nyumba, ambapo alipanda nyanya, maharagwe na maua machache. Kila kiangazi tulikaa naye wiki mbili, naye alitufundisha kutambua hali ya hewa kwa upepo. Tangu wakati huo kijiji kimebadilika sana: shule imefungwa, duka la mikate limekuwa mkahawa, na vijana wengi wamehamia mjini.",
};
