// Names that could be taken for somebody else's.

/**
 * Characters that look like Latin ones: those of the table of Unicode UTS 39 that appear in names, in lower case, and digits
 * that people put in place of letters.
 */
const LOOKALIKES: Readonly<Record<string, string>> = {
  ...pairs('аɑαａ4@', 'a'),
  ...pairs('вьβᏼ', 'b'),
  ...pairs('сϲⅽᴄ', 'c'),
  ...pairs('ԁđⅾ', 'd'),
  ...pairs('еεєҽ3', 'e'),
  ...pairs('ɡցǥ', 'g'),
  ...pairs('һհнħ', 'h'),
  ...pairs('ј', 'j'),
  ...pairs('кκ', 'k'),
  // One letter, because a capital i looks like a small L.
  ...pairs('iіιıɩӏłו1|!ǀ', 'l'),
  ...pairs('мⅿ', 'm'),
  ...pairs('пηոν', 'n'),
  ...pairs('оοσօøѳ०໐0', 'o'),
  ...pairs('рρ', 'p'),
  ...pairs('ԛգ', 'q'),
  ...pairs('г', 'r'),
  ...pairs('ѕ5$ꜱ', 's'),
  ...pairs('тτ7ŧ', 't'),
  ...pairs('υսцʋ', 'u'),
  ...pairs('ѵ', 'v'),
  ...pairs('ԝωѡա', 'w'),
  ...pairs('хχ', 'x'),
  ...pairs('уγүყ', 'y'),
}

function pairs(characters: string, latin: string): Record<string, string> {
  return Object.fromEntries(Array.from(characters, (character) => [character, latin]))
}

/** Letters and digits of a name as they look (after UTS 39): names with equal skeletons can be taken for each other. */
export function skeletonOf(name: string): string {
  const plain = name
    .replace(/[^\p{L}\p{N}]+$/u, '')
    .normalize('NFKD')
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{DI}]/gu, '')
  return Array.from(plain, (character) => LOOKALIKES[character] ?? character)
    .join('')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

/** Words by which a name claims to be staff or the site itself, and those that may stand beside one. */
const RESERVED = ['admin', 'administrator', 'administration', 'mod', 'moderator', 'moderation', 'staff', 'support']
const OWN_NAMES = ['system', 'someone', 'deleted member', 'deleted user', 'site owner']
const COMPANIONS = ['the', 'official', 'site', 'team', 'owner', 'head', 'chief', 'senior', 'account', 'bot']

const alternatives = (words: readonly string[]): string => words.map((word) => `${skeletonOf(word)}s?`).join('|')

/** Whether a name consists of words that only staff and the site itself may use, whatever they are spelled with. */
export function isReservedName(name: string, siteName = ''): boolean {
  const own = skeletonOf(siteName)
  const reserved = alternatives([...RESERVED, ...OWN_NAMES]) + (own === '' ? '' : `|${own}`)
  const companions = alternatives(COMPANIONS)
  const isReserved = new RegExp(`^(?:${companions})*(?:${reserved})(?:${reserved}|${companions})*$`, 'u')
  // With and without a number at the end, whose digits could stand for letters.
  return [name, name.replace(/[^\p{L}]+$/u, '')].some((each) => isReserved.test(skeletonOf(each)))
}
