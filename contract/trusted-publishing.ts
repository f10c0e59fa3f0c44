import Type, { type Static } from 'typebox'
import {
  FORGE_KINDS,
  MAX_BRANCH_LENGTH,
  MAX_ENVIRONMENT_LENGTH,
  MAX_PUBLISHERS,
  MAX_REPOSITORY_LENGTH,
  MAX_URL_LENGTH,
  MAX_WORKFLOW_LENGTH,
} from './limits.ts'
import { id, nullableText, nullableTime, strict, time, type Operation } from './operation.ts'

/** A server with repositories that the site accepts. */
export const Forge = Type.Object({
  kind: Type.Enum([...FORGE_KINDS]),
  url: Type.String({ description: 'Such as https://github.com' }),
})
export type Forge = Static<typeof Forge>

export const TrustedPublisher = Type.Object({
  id: Type.Integer(),
  script_id: Type.Integer(),
  forge: Forge,
  repository: Type.String(),
  repository_id: Type.Union([Type.String(), Type.Null()], {
    description: "The repository's number on its server; null until the first build publishes, if it was not entered",
  }),
  workflow: Type.String(),
  environment: nullableText,
  branch: nullableText,
  created_at: time,
  last_used_at: nullableTime,
})
export type TrustedPublisher = Static<typeof TrustedPublisher>

const optional = (maxLength: number, description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()], { description }))

export const NewTrustedPublisher = Type.Object(
  {
    script_id: id,
    forge: Type.String({ maxLength: MAX_URL_LENGTH, description: 'URL of the server, as `forges` lists it' }),
    repository: Type.String({
      maxLength: MAX_REPOSITORY_LENGTH,
      description: 'Such as owner/name; on GitLab the path of the project',
    }),
    repository_id: optional(20, "The repository's number on its server. By default that of the first build"),
    workflow: Type.String({
      maxLength: MAX_WORKFLOW_LENGTH,
      description: 'GitHub: a file in .github/workflows. GitLab: the path of the pipeline configuration',
    }),
    environment: optional(MAX_ENVIRONMENT_LENGTH, 'Only builds that deploy to this environment'),
    branch: optional(MAX_BRANCH_LENGTH, 'Only builds of this branch'),
  },
  strict,
)
export type NewTrustedPublisher = Static<typeof NewTrustedPublisher>

const MAX_ID_TOKEN_LENGTH = 16_000

export const trustedPublishingOperations = {
  'GET /api/trusted-publishers': {
    access: 'member',
    summary: "Builds that may publish versions of the caller's script, oldest first",
    query: Type.Object({ id }),
    response: {
      200: Type.Object({
        publishers: Type.Array(TrustedPublisher),
        forges: Type.Array(Forge, { description: 'Servers that this site accepts' }),
        only_builds: Type.Boolean({ description: 'Whether nothing else may publish versions' }),
        audience: Type.String({ description: 'The audience that ID tokens for this site must have' }),
      }),
    },
  },
  'POST /api/trusted-publishers': {
    access: 'recentlySignedIn',
    summary: `Let the builds of a repository publish versions of the caller's script; at most ${MAX_PUBLISHERS} per script. Requires a sign-in in the last ten minutes`,
    body: NewTrustedPublisher,
    response: { 201: Type.Object({ publisher: TrustedPublisher }) },
  },
  'DELETE /api/trusted-publishers': {
    access: 'member',
    summary: 'Remove a trusted publisher. Tokens that its builds have are rejected from this moment on',
    query: Type.Object({ id }),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'PUT /api/only-builds': {
    access: 'member',
    summary:
      "Let only trusted builds publish versions of the caller's script. Every other way is 403 `only_builds` from this moment on",
    body: Type.Object({ script_id: id }, strict),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'DELETE /api/only-builds': {
    access: 'recentlySignedIn',
    summary:
      "Let versions of the caller's script be published in every way again. Requires a sign-in in the last ten minutes",
    query: Type.Object({ id }),
    response: { 200: Type.Object({ message: Type.String() }) },
  },
  'POST /api/oidc-token': {
    access: 'public',
    stable: { route: 'POST /api/v1/oidc/token' },
    cacheControl: 'no-store',
    limit: 'exchange',
    summary:
      'Exchange the OpenID Connect ID token of a build for an API token that publishes versions of the scripts which trust the build, for 15 minutes. Each ID token can be exchanged once',
    body: Type.Object(
      {
        id_token: Type.String({ minLength: 1, maxLength: MAX_ID_TOKEN_LENGTH }),
        script_id: Type.Optional(id),
      },
      strict,
    ),
    response: {
      201: Type.Object({
        token: Type.String(),
        expires_at: time,
        scripts: Type.Array(Type.Object({ id: Type.Integer(), title: Type.String(), slug: Type.String() })),
      }),
    },
  },
} as const satisfies Record<string, Operation>
