import { CatalogueIndex, encodeWords } from '@scriptyard/catalogue-index'

const index = new CatalogueIndex({
  flags: ['available', 'signed'],
  exclusiveFlags: [],
  fields: [
    { name: 'title', weight: 4 },
    { name: 'blurb', weight: 1 },
  ],
  wholeWordFactor: 2,
  columns: { year: 'int32', sold: 'int32' },
  averages: {},
  sorts: { newest: ['year'], bestseller: ['sold'], title: ['title'] },
  popularity: 'bestseller',
})

index.addTag({ id: 1, name: 'novel' })
index.put({
  id: 1,
  author: 10,
  flags: 0b01,
  tags: [1],
  labels: [],
  words: encodeWords([
    ['dune', 0],
    ['desert', 1],
    ['planet', 1],
  ]),
  titleKey: Buffer.from('dune'),
  values: { year: 1965, sold: 20_000_000 },
})
index.put({
  id: 2,
  author: 11,
  flags: 0b11,
  tags: [1],
  labels: ['translated'],
  words: encodeWords([
    ['dunes', 0],
    ['coast', 1],
  ]),
  titleKey: Buffer.from('dunes'),
  values: { year: 1999, sold: 800 },
})

const filter = {
  words: ['dun'],
  tags: ['novel'],
  flags: [],
  author: undefined,
  minimums: [],
  labels: [],
  excludedLabels: [],
} as const
console.log(index.find({ ...filter, sort: 'newest', order: 'desc', offset: 0, limit: 20 })) // { ids: [ 2, 1 ], total: 2 }
console.log(index.find({ ...filter, words: ['dune'], sort: 'relevance', order: 'desc', offset: 0, limit: 20 }).ids) // [ 1, 2 ]
console.log(index.facets(filter, { maxTags: 10 }).flags) // { available: 2, signed: 1 }
console.log(index.suggest({ ...filter, words: ['desrt'] })) // [ 'desert' ]
console.log(index.complete(['du'], { field: 0, limit: 5 })) // [ 1, 2 ]
