import Type, { type Static } from 'typebox'
import { MAX_BRANCH_LENGTH, MAX_PATTERN_LENGTH, MAX_REPOSITORY_LENGTH, MAX_URL_LENGTH } from './limits.ts'
import { id, nullableText, nullableTime, strict, time, type Operation } from './operation.ts'
import { Forge } from './trusted-publishing.ts'
import { VERSION_STATES } from './version-states.ts'

const Connection = Type.Object({
  forge: Forge,
  repository: Type.String(),
  webhook_url: Type.String({ description: 'Where the repository sends its pushes' }),
  last_received_at: Type.Union(nullableTime.anyOf, { description: 'When the last event came; null before the first' }),
  script_count: Type.Integer({ description: "The caller's scripts that this repository updates" }),
})

export const RepositorySource = Type.Object({
  script_id: Type.Integer(),
  connection: Connection,
  branch: Type.String(),
  pattern: Type.String(),
  created_at: time,
})
export type RepositorySource = Static<typeof RepositorySource>

export const RepositorySync = Type.Object({
  id: Type.Integer(),
  reason: Type.Enum(['push', 'manual']),
  commit: nullableText,
  path: nullableText,
  state: Type.Enum(['waiting', 'published', 'unchanged', 'skipped', 'failed']),
  error: Type.Union(nullableText.anyOf, {
    description: 'Why it was skipped or failed; of one that waits, why the last attempt failed',
  }),
  version_number: Type.Union([Type.Integer(), Type.Null()]),
  version_state: Type.Union([Type.Enum([...VERSION_STATES]), Type.Null()], {
    description: 'The state of this version now: visitors get it when it is current',
  }),
  created_at: time,
  finished_at: nullableTime,
})
export type RepositorySync = Static<typeof RepositorySync>

export const NewRepositorySource = Type.Object(
  {
    script_id: id,
    forge: Type.String({ maxLength: MAX_URL_LENGTH, description: 'URL of the server, as `forges` lists it' }),
    repository: Type.String({
      maxLength: MAX_REPOSITORY_LENGTH,
      description: 'Such as owner/name; on GitLab the path of the project',
    }),
    branch: Type.String({ maxLength: MAX_BRANCH_LENGTH }),
    pattern: Type.String({
      maxLength: MAX_PATTERN_LENGTH,
      description:
        'Path of the file, or a pattern that matches one file, with `*` for a part of a name, `**` for folders and `{a,b}` for alternatives',
    }),
  },
  strict,
)
export type NewRepositorySource = Static<typeof NewRepositorySource>

const secret = Type.String({ description: 'Enter it as the secret of the webhook. It is not shown again' })
const ofScript = Type.Object({ script_id: id }, strict)

export const repositorySyncOperations = {
  'GET /api/repository-source': {
    access: 'member',
    summary: "The repository that updates the caller's script, and the last 20 updates, newest first",
    query: Type.Object({ id }),
    response: {
      200: Type.Object({
        source: Type.Union([RepositorySource, Type.Null()]),
        syncs: Type.Array(RepositorySync),
        forges: Type.Array(Forge, { description: 'Servers that this site accepts' }),
      }),
    },
  },
  'PUT /api/repository-source': {
    access: 'recentlySignedIn',
    summary:
      "Connect a public repository to the caller's script, or change the connection: a push that changes the file publishes it as the next version. Requires a sign-in in the last ten minutes",
    body: NewRepositorySource,
    response: {
      200: Type.Object({
        source: RepositorySource,
        secret: Type.Union([secret, Type.Null()], { description: 'Null if the repository was connected already' }),
      }),
    },
  },
  'DELETE /api/repository-source': {
    access: 'member',
    summary: "Disconnect the caller's script from its repository",
    query: Type.Object({ id }),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'POST /api/repository-secret': {
    access: 'recentlySignedIn',
    summary:
      "Replace the webhook's secret of the repository of the caller's script. Requires a sign-in in the last ten minutes",
    body: ofScript,
    response: { 200: Type.Object({ secret }) },
  },
  'POST /api/repository-sync': {
    access: 'notMuted',
    limit: 'sync',
    summary: "Publish the file at the end of the branch, if it differs from the caller's script",
    body: ofScript,
    response: { 202: Type.Object({ sync: RepositorySync }) },
  },
} as const satisfies Record<string, Operation>
