// Verifies the ID tokens of builds: JSON Web Tokens (RFC 7519) of GitHub Actions and GitLab CI/CD.
import { hash } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from 'jose'
import type { Forge } from '#server/platform/config/forges.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { IssuerKeys, type IssuerKeysOptions } from './issuer-keys.ts'

/** Signatures only: with HS256, the public key would be a secret that everybody has. */
const ALGORITHMS = ['RS256', 'ES256']
const CLOCK_TOLERANCE_SECONDS = 60
const MAX_AGE_SECONDS = 86_400

const rejected = (reason: string, message: string, cause?: unknown) =>
  new AppError(`id_token_${reason}`, 400, message, { cause })

const malformed = (cause?: unknown) =>
  rejected('malformed', 'This is not an ID token. Send the one that the server of the build has issued.', cause)

export interface Build {
  forge: Forge
  repository: string
  repositoryId: string
  /** `repository` and path of the file that defines the build, up to the ref. */
  definedBy: string
  ref: string
  commit: string | null
  runUrl: string | null
  environment: string | null
  /** Whether it builds changes that were proposed, also by strangers. */
  isProposal: boolean
  /** SHA-256 of the token's issuer and number. */
  tokenHash: Buffer
  expiresAt: Date
}

export interface VerifierOptions extends IssuerKeysOptions {
  forges: readonly Forge[]
  audience: string
}

export class IdTokenVerifier {
  readonly #audience: string
  readonly #issuers: ReadonlyMap<string, { forge: Forge; keys: IssuerKeys }>

  constructor({ forges, audience, ...options }: VerifierOptions) {
    this.#audience = audience
    this.#issuers = new Map(
      forges.map((forge) => [forge.issuer, { forge, keys: new IssuerKeys(forge.issuer, options) }]),
    )
  }

  /** Throws AppError `issuer_unavailable`, and `id_token_*` with a sentence for each kind of error. */
  async verify(token: string): Promise<Build> {
    const { algorithm, issuer } = peek(token)
    const known = this.#issuers.get(issuer)
    if (!known) throw rejected('issuer', 'This site accepts no ID tokens of this issuer.')
    if (!ALGORITHMS.includes(algorithm)) {
      throw rejected('algorithm', `The ID token must be signed with ${ALGORITHMS.join(' or ')}.`)
    }
    try {
      const { payload } = await jwtVerify(token, (header, input) => known.keys.find(header, input), {
        algorithms: ALGORITHMS,
        issuer,
        audience: this.#audience,
        clockTolerance: CLOCK_TOLERANCE_SECONDS,
        maxTokenAge: MAX_AGE_SECONDS,
        requiredClaims: ['exp', 'iat', 'jti', 'sub'],
      })
      return toBuild(known.forge, payload)
    } catch (error) {
      throw error instanceof AppError ? error : this.#explain(error)
    }
  }

  #explain(error: unknown): AppError {
    const { claim, reason } = error instanceof errors.JWTClaimValidationFailed ? error : {}
    if (claim === 'aud') {
      return rejected('audience', `The ID token is for another site. Request it for the audience ${this.#audience}.`)
    }
    if (reason === 'check_failed' && (claim === 'nbf' || claim === 'iat'))
      return rejected('not_yet_valid', 'The ID token is not valid yet.')
    if (claim !== undefined) return incomplete(error)
    if (error instanceof errors.JWTExpired) return rejected('expired', 'The ID token has expired. Request a new one.')
    if (error instanceof errors.JWKSNoMatchingKey) {
      return rejected('key', 'The ID token is signed with a key that its issuer does not list. Try again in a minute.')
    }
    if (error instanceof errors.JWSSignatureVerificationFailed) {
      return rejected('signature', 'The signature of the ID token is not valid.')
    }
    return malformed(error)
  }
}

const incomplete = (cause?: unknown) =>
  rejected('claims', 'The ID token does not say which repository and workflow the build belongs to.', cause)

/** Reads what is needed to find the keys, before anything is verified. */
function peek(token: string): { algorithm: string; issuer: string } {
  try {
    return { algorithm: decodeProtectedHeader(token).alg ?? '', issuer: decodeJwt(token).iss ?? '' }
  } catch (error) {
    throw malformed(error)
  }
}

const PUBLISHABLE_REF = /^refs\/(heads|tags)\//
/** `pull_request_target` and `workflow_run` run with the rights of the repository, often on the code of others. */
const PROPOSALS = /^pull_request|^workflow_run$|^merge_group$|^merge_request_event$|^external_pull_request_event$/

const COMMIT = /^[0-9a-f]{40,64}$/
const NUMBER = /^\d{1,20}$/

/** The page of the run that asked for the token; null if the claims do not name it. */
function findRunUrl({ kind, url }: Forge, claims: JWTPayload): string | null {
  const isGitHub = kind === 'github'
  const repository = claims[isGitHub ? 'repository' : 'project_path']
  const run = claims[isGitHub ? 'run_id' : 'job_id']
  if (typeof repository !== 'string' || typeof run !== 'string' || !NUMBER.test(run)) return null
  return `${url}/${repository}/${isGitHub ? 'actions/runs' : '-/jobs'}/${run}`
}

/** A workflow must be of the repository itself and of the ref that is built. */
function toBuild(forge: Forge, claims: JWTPayload): Build {
  const text = (name: string): string => {
    const value = claims[name]
    if (typeof value === 'string' && value !== '') return value
    throw incomplete()
  }
  const isGitHub = forge.kind === 'github'
  const ref = text(isGitHub ? 'ref' : 'ref_path')
  const definition = text(isGitHub ? 'workflow_ref' : 'ci_config_ref_uri')
  const end = [ref, text('sha')].map((each) => `@${each}`).find((each) => definition.endsWith(each))
  if (end === undefined) throw incomplete()
  const environment = claims['environment']
  const event = text(isGitHub ? 'event_name' : 'pipeline_source')
  return {
    forge,
    repository: text(isGitHub ? 'repository' : 'project_path'),
    repositoryId: text(isGitHub ? 'repository_id' : 'project_id'),
    definedBy: definition.slice(0, -end.length),
    ref,
    commit: COMMIT.test(text('sha')) ? text('sha') : null,
    runUrl: findRunUrl(forge, claims),
    environment: typeof environment === 'string' && environment !== '' ? environment : null,
    isProposal: PROPOSALS.test(event) || !PUBLISHABLE_REF.test(ref),
    tokenHash: hash('sha256', `${forge.issuer}\n${text('jti')}`, 'buffer'),
    // The token is accepted for a day at most, whatever its issuer writes.
    expiresAt: new Date(Math.min(claims.exp ?? 0, (claims.iat ?? 0) + MAX_AGE_SECONDS) * 1000),
  }
}
