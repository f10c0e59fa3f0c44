import type { DemoComment } from './types.ts'

export const demoComments: DemoComment[] = [
  {
    script: 'lobby-pads.luau',
    member: 'halfcourt',
    text: 'Is the split at eight or at the size of the server? Mine hold twelve.',
    daysAgo: 20,
    helpfulTo: ['renata', 'ivo'],
    replies: [
      { member: 'noor', text: 'At eight, whatever the server size. That is what puzzles me.', daysAgo: 20 },
      {
        member: 'renata',
        text: 'With nine I get six and three, never eight and one. So it looks like two calls and not like a limit.',
        daysAgo: 3,
        helpfulTo: ['noor', 'halfcourt'],
      },
      { member: 'noor', text: '@renata.s That is the best hint so far. Thank you!', daysAgo: 2 },
    ],
  },
  {
    script: 'spring.luau',
    member: 'wren',
    text: 'Can I use this for a Color3? It says numbers and vectors.',
    daysAgo: 6,
    replies: [
      {
        member: 'jurgen',
        text: 'Put the three channels into a Vector3, and clamp when you read them: a spring below 1 swings past white.',
        daysAgo: 6,
        helpfulTo: ['wren', 'lin', 'pixel'],
      },
      { member: 'wren', text: 'Works. My door now blushes.', daysAgo: 5, helpfulTo: ['jurgen', 'mango'] },
    ],
  },
  {
    script: 'spring.luau',
    member: 'lin',
    text: 'For menus I settled on damping 0.9 and 5 hertz. Livelier than 1 and nobody asks why it wobbles.',
    daysAgo: 11,
    helpfulTo: ['jurgen', 'pixel', 'halfcourt', 'ada'],
    replies: [],
  },
  {
    script: 'obby-checkpoints.luau',
    member: 'wren',
    text: 'Do the parts have to be anchored? Stage 3 fell into the sea.',
    daysAgo: 4,
    replies: [
      {
        member: 'bram',
        text: 'Yes. It happens once to every class.',
        daysAgo: 4,
        helpfulTo: ['wren', 'quill', 'mango'],
      },
    ],
  },
  {
    script: 'wave-spawner.luau',
    member: 'sable',
    text: 'Could the budget follow the number of living players instead of all?',
    daysAgo: 7,
    replies: [
      {
        member: 'noor',
        text: 'Count them in budgetOf, it is one line. I keep all players, because otherwise it pays to let friends die.',
        daysAgo: 7,
        helpfulTo: ['sable'],
      },
    ],
  },
  {
    script: 'leaderstats-store.luau',
    member: 'halfcourt',
    text: 'Moved a game with 4,000 saves to this over the weekend. Not one complaint.',
    daysAgo: 9,
    helpfulTo: ['noor', 'ada', 'bram', 'kestrel', 'quill'],
    replies: [{ member: 'noor', text: 'I have waited two years to read that.', daysAgo: 9, helpfulTo: ['halfcourt'] }],
  },
  {
    script: 'toast-stack.luau',
    member: 'ada',
    text: 'Is there a way to remove a toast from code, for example when the shop opens early?',
    daysAgo: 5,
    replies: [
      {
        member: 'pixel',
        text: 'Not yet. show could return a function for that. It is on the list for 1.5.',
        daysAgo: 5,
      },
    ],
  },
]
