import type { DemoCollection } from './types.ts'

export const demoCollections: DemoCollection[] = [
  {
    owner: 'kestrel',
    name: 'Read these first',
    description: 'Short modules that teach one idea each. Start at the top.',
    isPublic: true,
    updatedDaysAgo: 12,
    items: [
      ['debounce', 'Closures, and nothing else.'],
      ['rate-limiter', 'State per player, and how to forget it.'],
      ['spring', 'Why exact beats small steps.'],
      ['loot-table', 'A clever algorithm with a plain interface.'],
    ],
  },
  {
    owner: 'bram',
    name: 'After-school class, first term',
    description: 'One script a week. All of them run in an empty baseplate.',
    isPublic: true,
    updatedDaysAgo: 11,
    items: [
      ['obby-checkpoints', 'Weeks 1 and 2'],
      ['memory-match', 'Week 3'],
      ['tic-tac-toe', 'Week 4: the computer that cannot lose'],
      ['day-night-cycle', 'Week 5'],
      ['snake', null],
    ],
  },
  {
    owner: 'pixel',
    name: 'Interfaces that survive a phone',
    description: null,
    isPublic: true,
    updatedDaysAgo: 18,
    items: [
      ['settings-menu', null],
      ['tooltip', null],
      ['typewriter', null],
      ['sprint-stamina', 'For its button.'],
    ],
  },
  {
    owner: 'halfcourt',
    name: 'To try this week',
    description: null,
    isPublic: false,
    updatedDaysAgo: 3,
    items: [
      ['camera-shake', null],
      ['air-dash', null],
    ],
  },
]
