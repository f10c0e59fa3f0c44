import type { DemoWorksNote } from './types.ts'

/** Votes with a note for the author, by members who did not review the script. */
export const demoWorksNotes: DemoWorksNote[] = [
  {
    script: 'lobby-pads.luau',
    member: 'renata',
    works: false,
    note: 'Nine of us, two servers: six and three. Tablet and PC mixed.',
    daysAgo: 3,
  },
  { script: 'lobby-pads.luau', member: 'ivo', works: false, note: 'Splits groups since the update.', daysAgo: 5 },
  { script: 'wave-spawner.luau', member: 'wren', works: true, note: 'Works with R6 and R15 enemies.', daysAgo: 2 },
]
