// The blocks of Unicode 13, as `\p{InGreek}` names them, in their order: name without spaces, or several, and how
// many times sixteen code points; before a name, how many times sixteen belong to no block.

const UNIT = 16;

const TABLE = `
  basiclatin 8, latin1supplement 8, latinextendeda 8, latinextendedb 13, ipaextensions 6, spacingmodifierletters 5,
  combiningdiacriticalmarks 7, greek|greekandcoptic 9, cyrillic 16, cyrillicsupplementary|cyrillicsupplement 3,
  armenian 6, hebrew 7, arabic 16, syriac 5, arabicsupplement 3, thaana 4, nko 4, samaritan 4, mandaic 2,
  syriacsupplement 1, 3 arabicextendeda 6, devanagari 8, bengali 8, gurmukhi 8, gujarati 8, oriya 8, tamil 8,
  telugu 8, kannada 8, malayalam 8, sinhala 8, thai 8, lao 8, tibetan 16, myanmar 10, georgian 6, hanguljamo 16,
  ethiopic 24, ethiopicsupplement 2, cherokee 6, unifiedcanadianaboriginalsyllabics 40, ogham 2, runic 6, tagalog 2,
  hanunoo 2, buhid 2, tagbanwa 2, khmer 8, mongolian 11, unifiedcanadianaboriginalsyllabicsextended 5, limbu 5,
  taile 3, newtailue 6, khmersymbols 2, buginese 2, taitham 9, combiningdiacriticalmarksextended 5, balinese 8,
  sundanese 4, batak 4, lepcha 5, olchiki 3, cyrillicextendedc 1, georgianextended 3, sundanesesupplement 1,
  vedicextensions 3, phoneticextensions 8, phoneticextensionssupplement 4, combiningdiacriticalmarkssupplement 4,
  latinextendedadditional 16, greekextended 16, generalpunctuation 7, superscriptsandsubscripts 3, currencysymbols 3,
  combiningmarksforsymbols|combiningdiacriticalmarksforsymbols 3, letterlikesymbols 5, numberforms 4, arrows 7,
  mathematicaloperators 16, miscellaneoustechnical 16, controlpictures 4, opticalcharacterrecognition 2,
  enclosedalphanumerics 10, boxdrawing 8, blockelements 2, geometricshapes 6, miscellaneoussymbols 16, dingbats 12,
  miscellaneousmathematicalsymbolsa 3, supplementalarrowsa 1, braillepatterns 16, supplementalarrowsb 8,
  miscellaneousmathematicalsymbolsb 8, supplementalmathematicaloperators 16, miscellaneoussymbolsandarrows 16,
  glagolitic 6, latinextendedc 2, coptic 8, georgiansupplement 3, tifinagh 5, ethiopicextended 6, cyrillicextendeda 2,
  supplementalpunctuation 8, cjkradicalssupplement 8, kangxiradicals 14, 1 ideographicdescriptioncharacters 1,
  cjksymbolsandpunctuation 4, hiragana 6, katakana 6, bopomofo 3, hangulcompatibilityjamo 6, kanbun 1,
  bopomofoextended 2, cjkstrokes 3, katakanaphoneticextensions 1, enclosedcjklettersandmonths 16, cjkcompatibility 16,
  cjkunifiedideographsextensiona 412, yijinghexagramsymbols 4, cjkunifiedideographs 1312, yisyllables 73,
  yiradicals 4, lisu 3, vai 20, cyrillicextendedb 6, bamum 6, modifiertoneletters 2, latinextendedd 14, sylotinagri 3,
  commonindicnumberforms 1, phagspa 4, saurashtra 6, devanagariextended 2, kayahli 3, rejang 3, hanguljamoextendeda 2,
  javanese 6, myanmarextendedb 2, cham 6, myanmarextendeda 2, taiviet 6, meeteimayekextensions 2, ethiopicextendeda 3,
  latinextendede 4, cherokeesupplement 5, meeteimayek 4, hangulsyllables 699, hanguljamoextendedb 5,
  highsurrogates 56, highprivateusesurrogates 8, lowsurrogates 64, privateusearea 400, cjkcompatibilityideographs 32,
  alphabeticpresentationforms 5, arabicpresentationformsa 43, variationselectors 1, verticalforms 1,
  combininghalfmarks 1, cjkcompatibilityforms 2, smallformvariants 2, arabicpresentationformsb 9,
  halfwidthandfullwidthforms 15, specials 1, linearbsyllabary 8, linearbideograms 8, aegeannumbers 4,
  ancientgreeknumbers 5, ancientsymbols 4, phaistosdisc 3, 8 lycian 2, carian 4, copticepactnumbers 2, olditalic 3,
  gothic 2, oldpermic 3, ugaritic 2, oldpersian 4, 2 deseret 5, shavian 3, osmanya 3, osage 5, elbasan 3,
  caucasianalbanian 4, 9 lineara 24, 8 cypriotsyllabary 4, imperialaramaic 2, palmyrene 2, nabataean 3, 3 hatran 2,
  phoenician 2, lydian 2, 4 meroitichieroglyphs 2, meroiticcursive 6, kharoshthi 6, oldsoutharabian 2,
  oldnortharabian 2, 2 manichaean 4, avestan 4, inscriptionalparthian 2, inscriptionalpahlavi 2, psalterpahlavi 3,
  5 oldturkic 5, 3 oldhungarian 8, hanifirohingya 4, 18 ruminumeralsymbols 2, yezidi 4, 4 oldsogdian 3, sogdian 4,
  4 chorasmian 3, elymaic 2, brahmi 8, kaithi 5, sorasompeng 3, chakma 5, mahajani 3, sharada 6,
  sinhalaarchaicnumbers 2, khojki 5, 3 multani 3, khudawadi 5, grantha 8, 8 newa 8, tirhuta 6, 10 siddham 8, modi 6,
  mongoliansupplement 2, takri 5, 3 ahom 4, 12 dogra 5, 5 warangciti 6, divesakuru 6, 4 nandinagari 6,
  zanabazarsquare 5, soyombo 6, 1 paucinhau 4, 16 bhaiksuki 7, marchen 5, 4 masaramgondi 6, gunjalagondi 5,
  19 makasar 2, 11 lisusupplement 1, tamilsupplement 4, cuneiform 64, cuneiformnumbersandpunctuation 8,
  earlydynasticcuneiform 13, 171 egyptianhieroglyphs 67, egyptianhieroglyphformatcontrols 1,
  252 anatolianhieroglyphs 40, 536 bamumsupplement 36, mro 3, 6 bassavah 3, pahawhhmong 9, 43 medefaidrin 6,
  6 miao 10, 4 ideographicsymbolsandpunctuation 2, tangut 384, tangutcomponents 48, khitansmallscript 32,
  tangutsupplement 9, 551 kanasupplement 16, kanaextendeda 3, smallkanaextension 4, nushu 25, 144 duployan 10,
  shorthandformatcontrols 1, 309 byzantinemusicalsymbols 16, musicalsymbols 16, ancientgreekmusicalnotation 5,
  9 mayannumerals 2, taixuanjingsymbols 6, countingrodnumerals 2, 8 mathematicalalphanumericsymbols 64,
  suttonsignwriting 43, 85 glagoliticsupplement 3, 13 nyiakengpuachuehmong 5, 23 wancho 4, 80 mendekikakui 14,
  2 adlam 6, 49 indicsiyaqnumbers 5, 4 ottomansiyaqnumbers 5, 11 arabicmathematicalalphabeticsymbols 16,
  16 mahjongtiles 3, dominotiles 7, playingcards 6, enclosedalphanumericsupplement 16,
  enclosedideographicsupplement 16, miscellaneoussymbolsandpictographs 48, emoticons 5, ornamentaldingbats 3,
  transportandmapsymbols 8, alchemicalsymbols 8, geometricshapesextended 8, supplementalarrowsc 16,
  supplementalsymbolsandpictographs 16, chesssymbols 7, symbolsandpictographsextendeda 9,
  symbolsforlegacycomputing 16, 64 cjkunifiedideographsextensionb 2670, 2 cjkunifiedideographsextensionc 260,
  cjkunifiedideographsextensiond 14, cjkunifiedideographsextensione 361, cjkunifiedideographsextensionf 468,
  193 cjkcompatibilityideographssupplement 34, 94 cjkunifiedideographsextensiong 309, 44747 tags 8,
  8 variationselectorssupplement 15, 4065 supplementaryprivateuseareaa 4096, supplementaryprivateuseareab 4096
`;

const blocks = new Map<string, readonly [first: number, last: number]>();
let first = 0;
for (const [, gap = 0, names = '', size] of TABLE.matchAll(/(?:(\d+) )?([a-z][\w|]*) (\d+)/g)) {
  first += Number(gap) * UNIT;
  const next = first + Number(size) * UNIT;
  for (const name of names.split('|')) blocks.set(name, [first, next - 1]);
  first = next;
}

export const BLOCKS: ReadonlyMap<string, readonly [first: number, last: number]> = blocks;
