import Type, { type Static } from 'typebox'
import { Card } from './catalogue.ts'
import { MAX_SHOWCASE_NOTES_LENGTH, MAX_URL_LENGTH } from './limits.ts'
import { id, strict, type Operation } from './operation.ts'

const text = (title: string, maxLength: number) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { title }))

export const ShowcaseInput = Type.Object(
  {
    script_id: id,
    showcase_date: text('Showcase date', 40),
    showcase_video_url: text('YouTube video URL', MAX_URL_LENGTH),
    showcase_notes: text('Notes', MAX_SHOWCASE_NOTES_LENGTH),
  },
  strict,
)
export type ShowcaseInput = Static<typeof ShowcaseInput>

const ShowcaseResult = Type.Object({ message: Type.String(), script: Card })

export const showcaseOperations = {
  'POST /api/showcases': {
    access: 'admin',
    tolerant: true,
    summary: 'Showcase a script (admins)',
    body: ShowcaseInput,
    response: { 200: ShowcaseResult },
  },
  'PUT /api/showcases': {
    access: 'admin',
    tolerant: true,
    summary: 'Update a showcase (admins); omitted fields stay as they are',
    body: ShowcaseInput,
    response: { 200: ShowcaseResult },
  },
  'DELETE /api/showcases': {
    access: 'admin',
    tolerant: true,
    summary: 'Remove a script from the showcases, by id in the query or the body (admins)',
    query: Type.Object({ script_id: Type.Optional(id) }),
    body: Type.Object({ script_id: Type.Optional(id) }, strict),
    mayHaveNoBody: true,
    response: { 200: ShowcaseResult },
  },
} as const satisfies Record<string, Operation>
