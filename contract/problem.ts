import Type, { type Static } from 'typebox'

/** The body of every failed call. `error` is a sentence for a person, `code` is stable for programs. */
export const Problem = Type.Object({
  error: Type.String(),
  code: Type.String(),
  fields: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'What is wrong with each field' })),
})
export type Problem = Static<typeof Problem>
