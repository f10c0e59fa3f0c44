import { Random } from './random.ts'

const ONSETS = [
  'b',
  'c',
  'd',
  'f',
  'g',
  'h',
  'k',
  'l',
  'm',
  'n',
  'p',
  'r',
  's',
  't',
  'v',
  'z',
  'br',
  'cr',
  'dr',
  'fl',
  'gr',
  'pl',
  'st',
  'tr',
]
const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'oo', 'ö']
const CODAS = ['', '', '', 'n', 'r', 's', 't', 'l', 'x', 'ng']

const choose = (random: Random, from: readonly string[]) => from[random.between(0, from.length - 1)] ?? ''

/** Distinct pronounceable words, shorter ones first, as common words are short. */
export function makeVocabulary(count: number, seed: number): string[] {
  const random = new Random(seed)
  const words = new Set<string>()
  while (words.size < count) {
    const syllables = 1 + Math.floor((words.size / count) * 2 + random.next() * 2)
    let word = ''
    for (let syllable = 0; syllable < syllables; syllable++) {
      word += choose(random, ONSETS) + choose(random, VOWELS) + choose(random, CODAS)
    }
    words.add(word)
  }
  return [...words]
}
