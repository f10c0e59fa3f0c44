import type { DemoGiveaway } from './types.ts'

export const demoGiveaways: DemoGiveaway[] = [
  {
    title: 'Summer build jam: three editor passes',
    description:
      'We are giving three people a year of the studio pass for our own asset editor. Enter once, no purchase, no follow, no share. Winners get their key as a notification the moment the draw is made.',
    prizeType: 'exec_key',
    prizeDescription: 'One year of the asset editor pass',
    prizeValue: 'DEMO-EDITOR-0001-AAAA\nDEMO-EDITOR-0002-BBBB\nDEMO-EDITOR-0003-CCCC',
    endsInDays: 12,
    maxEntries: null,
    winnerCount: 3,
    entryRequirement: 'login',
    isActive: true,
    entrants: ['ada', 'kestrel', 'jurgen', 'quill', 'mango', 'ivo', 'renata', 'halfcourt', 'wren', 'pixel'],
  },
  {
    title: 'Code review by kestrel',
    description:
      'One hour, one module of yours, line by line, in a call or in writing.\nBring something that works but that you are not proud of. Only members with a verified email, because we have to reach you to find a date.',
    prizeType: 'custom',
    prizeDescription: 'A one-hour review of a module you wrote',
    prizeValue: 'Write to kestrel in the community chat and name this word: DEMO-HERON',
    endsInDays: 3,
    maxEntries: 25,
    winnerCount: 1,
    entryRequirement: 'verified',
    isActive: true,
    entrants: ['ada', 'bram', 'theodora', 'mango', 'wren'],
  },
  {
    title: 'Five cover paintings',
    description:
      'Tom from Pixel & Pine paints a cover for one script each of five winners. Any style except photographs. Takes about two weeks per cover.',
    prizeType: 'other',
    prizeDescription: 'A hand-painted cover for one of your scripts',
    prizeValue:
      'Commission slip DEMO-COVER-1\nCommission slip DEMO-COVER-2\nCommission slip DEMO-COVER-3\nCommission slip DEMO-COVER-4\nCommission slip DEMO-COVER-5',
    endsInDays: 26,
    maxEntries: 200,
    winnerCount: 5,
    entryRequirement: 'login',
    isActive: true,
    entrants: ['noor', 'sable', 'theodora', 'quill', 'dot'],
  },
  {
    title: 'Spring cleaning: test-place licences',
    description:
      'Two licences for the load-testing service that we use ourselves. This one is over; the draw can be checked with the published seed.',
    prizeType: 'executor_key',
    prizeDescription: 'Test-place licence, six months',
    prizeValue: 'DEMO-TESTPLACE-1111\nDEMO-TESTPLACE-2222',
    endsInDays: -18,
    maxEntries: null,
    winnerCount: 2,
    entryRequirement: 'login',
    isActive: true,
    entrants: ['ada', 'lin', 'kestrel', 'noor', 'renata', 'halfcourt', 'ivo', 'bram'],
  },
  {
    title: 'Anniversary raffle (being prepared)',
    description: 'Prizes are still being collected. Not open for entries yet.',
    prizeType: 'custom',
    prizeDescription: 'A bundle of everything our authors sell',
    prizeValue: 'Bundle voucher DEMO-ANNIVERSARY',
    endsInDays: 60,
    maxEntries: null,
    winnerCount: 1,
    entryRequirement: 'login',
    isActive: false,
    entrants: [],
  },
]
