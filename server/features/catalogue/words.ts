/** Marks that decorate a letter: accents, points of Hebrew and Arabic, tones of Thai and Lao, variation selectors. */
const DIACRITICS =
  /[[\p{M}&&[\p{sc=Zinh}\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}]]--[\u3099\u309A]]|[\u0E47-\u0E4E\u0EC8-\u0ECE]/gv
/** Not visible, or without a meaning of their own: soft hyphens, joiners, skin tones, the Arabic tatweel. */
const IGNORED = /[\p{Default_Ignorable_Code_Point}\p{Emoji_Modifier}\u0640]/gv
/** NFKD splits the voicing mark off a kana, with which it is another letter. */
const VOICED_KANA = /.[\u3099\u309A]/gu
/** Letters without a decomposition in Unicode, as in the search collations of ICU (CLDR root and European tailorings). */
const LETTERS = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    ł: 'l',
    đ: 'd',
    ð: 'd',
    ħ: 'h',
    ı: 'i',
    þ: 'th',
    ŧ: 't',
    ς: 'σ',
  }),
)
const UNDECOMPOSED = new RegExp(`[${[...LETTERS.keys()].join('')}]`, 'g')

/**
 * A word, with the ending of names such as C# and C++, or a symbol. Symbols are emoji, flags, and signs of mathematics and
 * currencies; punctuation only separates words.
 */
const TOKEN =
  /[\p{L}\p{N}\p{M}_]+(?:(?:#|\+\+?)(?![\p{L}\p{N}\p{M}_#+]))?|\p{Regional_Indicator}{2}|[\p{So}\p{Sm}\p{Sc}]/gv
/** Splits off letters of scripts that are written without spaces. */
const UNSPACED = /([\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+)/v
/** Words with punctuation inside that are also written without it: node.js, don't, auto-farm, 1,000. */
const PUNCTUATED = /[\p{L}\p{N}_]+(?:(?:[.'’\-‐]|(?<=\d),(?=\d))[\p{L}\p{N}_]+)+/gv
const PUNCTUATION = /[.'’\-‐,]/v

const MAX_WORD_LENGTH = 64
const MAX_JOINED_PARTS = 4
const MAX_JOINED_LENGTH = 32
/** Of one word in a search. A longer one is searched by its first letters. */
const MAX_PAIRS = 16
/** In no document. Noncharacters are for such internal use. */
const UNKNOWN_WORD = '\u{FFFF}'

/** The sort key of a title: NFKD, lower case, without combining marks. */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
}

/** Folds text for searching: compatibility forms, case, diacritics and invisible characters do not count. */
function foldForSearch(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replace(DIACRITICS, '')
    .replace(IGNORED, '')
    .replace(VOICED_KANA, (kana) => kana.normalize('NFC'))
    .replace(UNDECOMPOSED, (letter) => LETTERS.get(letter) ?? letter)
}

const cut = (word: string) => word.slice(0, MAX_WORD_LENGTH).toWellFormed()

/** The words and symbols of folded text in their order. Runs of unspaced letters are apart from other words. */
function* tokensOf(folded: string): Generator<{ text: string; isUnspaced: boolean }> {
  for (const [token] of folded.matchAll(TOKEN)) {
    for (const [i, text] of token.split(UNSPACED).entries()) if (text) yield { text, isUnspaced: i % 2 === 1 }
  }
}

/**
 * The distinct words of a text, folded, each cut to 64 characters, in the order of their first appearance. Of text without
 * spaces, such as Chinese or Thai, all pairs of adjacent letters and the last letter, so that prefixes of them find any part
 * of it. Words with punctuation inside are also included without it.
 */
export function wordsOf(text: string): string[] {
  const folded = foldForSearch(text)
  const words = new Set<string>()
  for (const token of tokensOf(folded)) {
    if (token.isUnspaced) Array.from(token.text).forEach((letter, i, all) => words.add(letter + (all[i + 1] ?? '')))
    else words.add(cut(token.text))
  }
  for (const [token] of folded.matchAll(PUNCTUATED)) {
    const parts = token.split(PUNCTUATION)
    const joined = parts.join('')
    const isUsual = parts.length <= MAX_JOINED_PARTS && joined.length <= MAX_JOINED_LENGTH && !UNSPACED.test(joined)
    if (isUsual) words.add(joined)
  }
  return [...words]
}

/**
 * What to look for in a search, a list for each distinct word that was typed: documents that match have a word with each of
 * these prefixes. Empty for blank text only; for text of punctuation, a word that no document has.
 */
export function searchedWordsOf(text: string): string[][] {
  const folded = foldForSearch(text)
  const words = new Map<string, string[]>()
  for (const token of tokensOf(folded)) {
    words.set(token.text, token.isUnspaced ? pairsOf(token.text) : [cut(token.text)])
  }
  if (words.size === 0 && folded.trim() !== '') return [[UNKNOWN_WORD]]
  return [...words.values()]
}

/** Pairs that cover all letters: those of even positions, and the last two. */
function pairsOf(text: string): string[] {
  const letters = Array.from(text)
  const starts = letters.keys().filter((i) => i % 2 === 0 && i < letters.length - 1)
  const pairs = [...starts, Math.max(letters.length - 2, 0)].map((i) => letters.slice(i, i + 2).join(''))
  return [...new Set(pairs)].slice(0, MAX_PAIRS)
}
