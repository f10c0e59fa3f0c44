import type { DemoReview } from '#demo/types.ts'
import { reviewScript } from './review-rows.ts'

export const interfaceReviews: DemoReview[] = [
  ...reviewScript('toast-stack.luau', [
    ['ada', 5, 188, 'Required it, called show, done. I changed two colours and it looks like mine.'],
    ['lin', 5, 150, 'Good spacing, good timing, and it waits its turn. I am a little jealous.'],
    [
      'renata',
      4,
      131,
      'On a 320 px wide screen the toasts touch the left edge (280 plus margins is all there is). Everything else is fine, long words wrap.',
      'Thank you, we shall make the width follow the screen.',
    ],
    ['mango', 5, 100, 'SO smooth'],
    ['noor', 5, 95],
    ['halfcourt', 4, 80, 'I miss a sound, but that is one line to add.'],
    ['jurgen', 5, 64, 'Sehr schön. The queue is the part that everybody else forgets.'],
    ['bram', 5, 40],
    ['wren', 5, 7, 'My first interface that did not look like my first interface.'],
  ]),
  ...reviewScript('tooltip.luau', [
    [
      'lin',
      4,
      142,
      'Flips correctly at every edge. I would shorten the delay when moving from one tooltip straight to the next.',
    ],
    [
      'renata',
      3,
      120,
      'Does what it says with a mouse and with a gamepad. On my tablet I could not find a way to see a tooltip at all: a finger has no MouseEnter that stays.',
    ],
    ['sable', 4, 90],
    ['ivo', 5, 48],
  ]),
  ...reviewScript('hotbar.luau', [
    ['sable', 4, 170, 'Tools keep their slot. You would think that is normal.'],
    ['mango', 5, 139, 'looks way better than the default one'],
    [
      'renata',
      4,
      125,
      'Scales down properly on the worst tablet I own. Slots get small there, about 40 px, still hittable.',
    ],
    [
      'quill',
      3,
      110,
      'The bar is good. That an icon pack needs a key is explained in the description, so I cannot complain, but I left one star for it anyway.',
      'Understandable. The bar will always be complete without the key.',
    ],
    ['bram', 3, 72],
    ['halfcourt', 4, 60],
    ['dot', 2, 33, 'could not get the key page to open on my phone'],
    ['ada', 4, 30, 'More than ten tools and the eleventh is simply nowhere. Otherwise very good.'],
  ]),
  ...reviewScript('health-bar.luau', [
    ['ivo', 4, 130, 'The pale trail makes every hit feel heavier than it is. Great for horror.'],
    ['theodora', 5, 88],
    ['halfcourt', 4, 50],
    ['quill', 4, 44, 'Nice. StreamingEnabled works too, because it waits for the head.'],
    ['volt', 5, 3, 'I sell a better one with names and levels. Ask me for prices.'],
  ]),
  ...reviewScript('draggable-window.luau', [
    ['pixel', 5, 90, 'The second finger! Nobody handles the second finger. Bought it for that alone.'],
    [
      'quill',
      4,
      61,
      'Solid clamping. Resizing can push the corner below the screen edge, though you can always get it back by the title.',
    ],
    ['renata', 4, 55],
    ['bram', 3, 33, 'Good code, but I would not let a class pay for a window.'],
  ]),
  ...reviewScript('settings-menu.luau', [
    ['pixel', 5, 80, 'Sliders that step in whole per cents. You can tell who has shipped a settings menu before.'],
    ['jurgen', 5, 71, 'Connected the shake slider in two minutes.'],
    [
      'renata',
      4,
      50,
      'Sliders cannot be moved with a gamepad. Toggles and choices can.',
      'On my list. Selection and left and right, probably next month.',
    ],
    ['mango', 5, 44],
    ['ada', 4, 40, 'The rows want a UIPadding on the parent, otherwise the toggles touch the edge.'],
    ['halfcourt', 5, 29, 'exactly what I needed and nothing else'],
    ['wren', 5, 2, 'Read it to learn how to build interfaces from data. The creators table at the end is so neat.'],
  ]),
  ...reviewScript('typewriter.luau', [
    ['ivo', 5, 45, 'The pause after a full stop is longer than after a comma. My ghost finally sounds like a ghost.'],
    ['theodora', 4, 30],
    ['bram', 4, 21, 'Works with bold and colours and with 👩‍🚀, which I tested because my class would have.'],
  ]),
]
