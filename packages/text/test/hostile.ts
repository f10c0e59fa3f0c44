import fc from 'fast-check'

/** Texts with many of the characters that the rules are about. */
const SPECIAL = [
  ...['\u200B', '\u200C', '\u200D', '\u200E', '\u200F', '\u061C', '\uFEFF', '\u00AD', '\u034F', '\u115F', '\u3164'],
  ...['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069', '\uFE0F', '\uFE0E'],
  ...[
    '\u{E0101}',
    '\u{E0067}',
    '\u{E007F}',
    '\u180B',
    '\u17B4',
    '\uFFF9',
    '\u0000',
    '\u0007',
    '\u000B',
    '\u0085',
    '\u0093',
  ],
  ...['\u2028', '\u2029', '\r', '\n', '\t', ' ', '\u3000', '\uD800', '\uDC00', '#', '1', 'a', 'ß', 'İ', 'é', 'e\u0301'],
  ...[
    'می',
    'خ',
    'क',
    '\u094D',
    'ക',
    'ශ',
    '葛',
    '\u{1820}',
    '❤',
    '👩',
    '🏽',
    '🔥',
    '\u{1F3F4}',
    '\u20E3',
    'ﬁ',
    '①',
    '，',
    '＃',
  ],
]
export const hostile = fc.oneof(
  fc.array(fc.constantFrom(...SPECIAL), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 30 }),
)
