import Type, { type Static, type TObject, type TSchema } from 'typebox'
import { WITHDRAWERS } from './version-states.ts'
import type { TokenScope } from './limits.ts'

/** The kinds of requests that are counted together; server/rate-limits.ts has the number of calls of each. */
export type LimitKind =
  | 'read'
  | 'write'
  | 'comment'
  /** Actions of admins: one on many scripts is one call per script. */
  | 'portal'
  | 'upload'
  /** Forms store drafts of up to 1.5 MiB while the member types. */
  | 'draft'
  /** Drawing an image takes a tenth of a second. */
  | 'drawing'
  /** An export reads everything that a member has. */
  | 'export'
  /** Each check analyzes up to 1 MiB of code. */
  | 'check'
  /** Each call sends a request to another server, like those of `sync`. */
  | 'webhook'
  | 'exchange'
  | 'push'
  | 'sync'
  | 'sign_in'

/** The callers that an operation admits, in the words of the API reference. */
export const ACCESS = {
  /** The session is not read. */
  public: 'Anyone',
  /** Visitors and members, whom the response may depend on. */
  optionalMember: 'Anyone',
  /** Like `optionalMember`, but without the database everyone is a visitor. */
  memberIfKnown: 'Anyone',
  member: 'Members',
  /** Other members get `reauthentication_required`. */
  recentlySignedIn: 'Members who signed in during the last ten minutes',
  notMuted: 'Members who are not muted',
  moderator: 'Moderators and admins',
  admin: 'Admins',
} as const
export type Access = keyof typeof ACCESS

/** When a route was deprecated and when it ends, as days such as 2030-01-31. */
export interface Deprecation {
  since: string
  sunset: string
  /** The route to use instead. */
  successor?: string
}

/** The route of an operation in the stable API for programs. Routes and fields may be added; see decision 54. */
export interface StableRoute {
  /** Method and path, with `{name}` for parts of the path. */
  route: `${string} /api/v1/${string}`
  /** The parameter or body field of the operation that each part of the path sets. A script's slug sets its id. */
  path?: Readonly<Record<string, string>>
  /** Parameters and response fields of the operation that are not part of the stable API. */
  omit?: readonly string[]
  deprecated?: Deprecation
}

/** One call of the API: its query, its body, and the response for each status. */
export interface Operation {
  summary: string
  /** The callers that it admits. Its handler checks what depends on data, such as who the author of a script is. */
  access: Access
  /** The access of a call that differs because of a parameter. The caller has the type of `access`. */
  accessWith?: (query: Readonly<Record<string, unknown>>) => Access
  /** Its route below /api/v1 if it is part of the stable API: its own, or one in addition to it. */
  stable?: StableRoute
  query?: TObject
  body?: TSchema
  /** Whether a missing body is read as an empty object. */
  mayHaveNoBody?: boolean
  /**
   * The scope that an API token needs to act for its member; `any` accepts every token. Without one, API tokens are rejected, or
   * treated as visitors where visitors are admitted. Operations of the staff and of accounts must not have one.
   */
  scope?: TokenScope | 'any'
  /**
   * Whether it takes what clients send that were written from another specification than this contract: unknown parameters and
   * fields are ignored, digits in text count as numbers and numbers as text of digits, and empty text counts as absent
   * where it is not allowed. Other operations, and all below /api/v1, reject these and name the unknown field.
   */
  tolerant?: boolean
  /** The limit that its requests count for; by default `read` for GET and `write` for other methods. */
  limit?: LimitKind
  /**
   * `cache-control` of its success responses. Responses to members and errors always have `no-store`. `public` admits shared
   * caches; `no-cache` requires revalidation.
   */
  cacheControl?: 'no-store' | 'no-cache' | 'public, no-cache'
  /** Maximum body size in bytes; 64 KiB by default. */
  maxBodyBytes?: number
  /** Success bodies by status. Errors always have the shape of `Problem`. */
  response: Record<number, TSchema>
  /** Media type of success bodies; JSON by default. */
  contentType?: string
}

/** The body of every error response. `error` is a sentence for people, `code` is stable for programs. */
export const Problem = Type.Object({
  error: Type.String(),
  code: Type.String(),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'The reason for each rejected field' }),
  ),
  withdrawn: Type.Optional(
    Type.Object(
      {
        version: Type.String(),
        withdrawn_at: Type.String({ format: 'date-time' }),
        by: Type.Enum([...WITHDRAWERS]),
        reason: Type.String(),
        is_malicious: Type.Boolean({ description: 'It harms those who run it' }),
        successor: Type.Union([Type.Object({ slug: Type.String(), title: Type.String() }), Type.Null()], {
          description: 'The public script that replaces it, if there is one',
        }),
      },
      { description: 'With `version_withdrawn`' },
    ),
  ),
})
export type Problem = Static<typeof Problem>

/** The body of every error response below /api/v1 (RFC 9457), with the fields of `Problem`. */
export const ProblemDetails = Type.Object({
  type: Type.String({ description: 'Identifies the kind of error, as the path of its documentation' }),
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String({ description: 'A sentence for people, the same as `error`' }),
  ...Problem.properties,
  retry_after: Type.Optional(Type.Integer({ description: 'Seconds until a retry makes sense' })),
})

export const id = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })
/** Text of digits, such as the id of a game. Tolerant operations accept a number, too. */
export const digits = (options: { pattern?: string; description?: string }) =>
  Type.String({ ...options, 'x-digits': true })
/** Text that the server rejects if it is empty. Tolerant operations read empty text as absent. */
export const nonEmpty = (options: { description?: string }) => Type.String({ ...options, 'x-non-empty': true })
export const time = Type.String({ format: 'date-time' })
export const nullableText = Type.Union([Type.String(), Type.Null()])
export const nullableTime = Type.Union([time, Type.Null()])
export const CURSOR =
  'The `next_cursor` of the page before. Nothing repeats or is left out while entries are added or removed'
/** Query parameter for the next page of a list. */
export const cursor = Type.Optional(Type.String({ description: CURSOR }))
export const nextCursor = Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page' })
export const strict = { additionalProperties: false }
