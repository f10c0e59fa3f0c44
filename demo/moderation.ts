import type { DemoCase } from './types.ts'

/** The member whom the admin has muted, after a warning. */
export const demoMute = {
  member: 'volt',
  warning: 'Three reviews that only advertise your shop. Please stop.',
  reason: 'Went on advertising in reviews after a warning.',
}

export const demoCases: DemoCase[] = [
  {
    script: 'health-bar.luau',
    reviewBy: 'volt',
    reports: [
      { reporter: 'quill', reason: 'spam', text: 'The same text is under other scripts, too.', daysAgo: 1 },
      { reporter: 'renata', reason: 'spam', text: 'An advertisement, not a review.', daysAgo: 1 },
    ],
  },
  {
    script: 'cinematic-path.luau',
    reports: [
      {
        reporter: 'wren',
        reason: 'misleading',
        text: 'The description says that it is sold with an example place. I could not find where.',
        daysAgo: 2,
      },
    ],
  },
  {
    script: 'snake.luau',
    reports: [{ reporter: 'volt', reason: 'stolen', text: 'There are many snake games already.', daysAgo: 20 }],
    decision: { action: 'dismiss', by: 'moderator', reason: 'Own code for a classic game.', daysAgo: 19 },
  },
  {
    script: 'coin-magnet.luau',
    reports: [
      {
        reporter: 'halfcourt',
        reason: 'stolen',
        text: 'From the free kit of our jam in spring, with the credits removed.',
        daysAgo: 6,
      },
    ],
    decision: {
      action: 'hide',
      by: 'moderator',
      reason: 'Published without the names of its authors. Add them, then appeal.',
      daysAgo: 4,
    },
    appeal: {
      text: 'I was in that jam team and wrote the magnet. The other two agreed that I publish it.',
      daysAgo: 3,
    },
  },
]
