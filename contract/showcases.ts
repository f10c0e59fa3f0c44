import Type, { type Static } from 'typebox'
import { Card } from './catalogue.ts'
import { MAX_SHOWCASE_NOTES_LENGTH, MAX_URL_LENGTH } from './limits.ts'
import type { Operation } from './operation.ts'

const script_id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
const text = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))

export const ShowcaseInput = Type.Object(
  {
    script_id,
    showcase_date: text(40),
    showcase_video_url: text(MAX_URL_LENGTH),
    showcase_notes: text(MAX_SHOWCASE_NOTES_LENGTH),
  },
  { additionalProperties: false },
)
export type ShowcaseInput = Static<typeof ShowcaseInput>

const Answer = Type.Object({ message: Type.String(), script: Card })

export const showcaseOperations = {
  'POST /api/showcases': { summary: 'Showcase a script (admins)', body: ShowcaseInput, response: { 200: Answer } },
  'PUT /api/showcases': {
    summary: 'Change what a showcase says (admins); what is left out stays',
    body: ShowcaseInput,
    response: { 200: Answer },
  },
  'DELETE /api/showcases': {
    summary: 'Take a script out of the showcases (admins)',
    body: Type.Object({ script_id }, { additionalProperties: false }),
    response: { 200: Answer },
  },
} as const satisfies Record<string, Operation>
