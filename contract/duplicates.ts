import Type, { type Static } from 'typebox'
import { time } from './operation.ts'

export const DuplicateOf = Type.Object({
  slug: Type.String({ description: 'Slug of the original' }),
  title: Type.String(),
  author: Type.String({ description: 'Name of its author' }),
  author_slug: Type.String(),
  published_at: time,
  exact: Type.Boolean({
    description: 'False if only the layout, comments, names of locals or spellings of values differ',
  }),
})
export type DuplicateOf = Static<typeof DuplicateOf>

/** The earliest public version of another member with the same code. */
export const duplicateOf = Type.Union([DuplicateOf, Type.Null()], {
  description: 'The earliest public script of another member with the same code; null if there is none',
})
