import Type, { type Static } from 'typebox'
import { id, type Operation } from './operation.ts'

const counts = {
  views: Type.Integer({ description: 'Visitors who saw the page, each once in 24 hours' }),
  downloads: Type.Integer({ description: 'Visitors who downloaded or copied the code, each once in 24 hours' }),
  ratings: Type.Integer({ description: 'Members who rated for the first time' }),
  average_rating: Type.Union([Type.Number(), Type.Null()], {
    description: 'Mean of these first ratings; null without one',
  }),
}

export const DayInsights = Type.Object({ day: Type.String({ description: 'UTC day: 2026-11-22' }), ...counts })
export type DayInsights = Static<typeof DayInsights>

export const ScriptInsights = Type.Object({
  days: Type.Array(DayInsights, { description: 'Every day of the period, oldest first' }),
  scripts: Type.Array(
    Type.Object({
      id: Type.Integer(),
      slug: Type.String(),
      title: Type.String(),
      is_public: Type.Boolean(),
      ...counts,
    }),
    { description: 'Most downloaded first; at most 100' },
  ),
  versions: Type.Array(Type.Object({ number: Type.Integer(), version: Type.String(), ...counts }), {
    description: 'Versions that were current in the period, latest first; only with `id`',
  }),
  referrers: Type.Array(
    Type.Object({
      host: Type.String({ description: 'Host of the page with the link; empty for all further hosts' }),
      views: Type.Integer(),
    }),
    { description: 'Most views first; at most 20' },
  ),
})
export type ScriptInsights = Static<typeof ScriptInsights>

export const insightOperations = {
  'GET /api/script-insights': {
    access: 'member',
    scope: 'scripts:read-private',
    summary: "Daily views, downloads, ratings and referrers of the caller's scripts, or of one (`id`)",
    query: Type.Object({
      id: Type.Optional(id),
      days: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 400, description: 'UTC days including today; 30 by default' }),
      ),
    }),
    response: { 200: ScriptInsights },
  },
} as const satisfies Record<string, Operation>
