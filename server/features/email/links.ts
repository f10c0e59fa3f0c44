// Tokens in the links of emails, and other keyed hashes. All keys derive from the secret key.
import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { SecretKeys } from '#server/platform/config/secret-keys.ts'

export type ChosenKind = 'digest' | 'sign_in' | 'decision'

const CHOSEN_KINDS: readonly string[] = ['digest', 'sign_in', 'decision'] satisfies ChosenKind[]

export interface Unsubscription {
  memberId: number
  kind: ChosenKind
  /** Identifies the address to which the email was sent, see `addressHashOf`. */
  addressHash: string
}

/** What the link of an email about a held version can undo. */
export interface HeldVersionRef {
  memberId: number
  scriptId: number
  number: number
}

const KEY_BYTES = 32
const ADDRESS_HASH_LENGTH = 16
const TOKEN = /^(\d{1,10})\.([a-z_]{1,20})\.([\w-]{16})\.([\w-]{43})$/

const HELD_TOKEN = /^(\d{1,10})\.(\d{1,10})\.(\d{1,10})\.(\d{1,12})\.([\w-]{43})$/
const HELD_LINK_DAYS = 30
const DAY_MS = 86_400_000

export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

export const addressHashOf = (address: string): string =>
  createHash('sha256').update(address).digest('base64url').slice(0, ADDRESS_HASH_LENGTH)

const derive = (secretKey: Buffer): Buffer => Buffer.from(hkdfSync('sha256', secretKey, '', 'email', KEY_BYTES))

export class EmailLinks {
  readonly #keys: readonly [Buffer, ...Buffer[]]
  readonly #publicUrl: string

  constructor(
    { secretKey, retiredSecretKeys }: Pick<SecretKeys, 'secretKey' | 'retiredSecretKeys'>,
    publicUrl: string,
  ) {
    this.#keys = [derive(secretKey), ...retiredSecretKeys.map(derive)]
    this.#publicUrl = publicUrl
  }

  /** The secret token of a confirmation. Derived from the id of the email, so that it need not be stored until it is sent. */
  confirmationToken(emailId: string): string {
    return this.#sign(this.#keys[0], `confirm\n${emailId}`)
  }

  confirmationUrl(token: string): string {
    return `${this.#publicUrl}/email/confirm?token=${token}`
  }

  /** The URL that stops a kind of email to an address, without a sign-in. It does not expire. */
  unsubscribeUrl({ memberId, kind, address }: { memberId: number; kind: ChosenKind; address: string }): string {
    const text = `${memberId}.${kind}.${addressHashOf(address)}`
    return `${this.#publicUrl}/email/unsubscribe?token=${text}.${this.#sign(this.#keys[0], `unsubscribe\n${text}`)}`
  }

  /** Undefined if the token was not made by this site. */
  readUnsubscription(token: string): Unsubscription | undefined {
    const [, id = '', kind = '', addressHash = '', signature = ''] = TOKEN.exec(token) ?? []
    if (!isChosenKind(kind)) return undefined
    const signed = `unsubscribe\n${id}.${kind}.${addressHash}`
    const isSigned = this.#keys.some((key) => isEqual(signature, this.#sign(key, signed)))
    return isSigned ? { memberId: Number(id), kind, addressHash } : undefined
  }

  /** The URL that says, without a sign-in, that the member did not publish a version. It works for 30 days. */
  notMeUrl({ memberId, scriptId, number }: HeldVersionRef, now = Date.now()): string {
    const text = `${memberId}.${scriptId}.${number}.${Math.floor((now + HELD_LINK_DAYS * DAY_MS) / 1000)}`
    return `${this.#publicUrl}/email/not-me?token=${text}.${this.#sign(this.#keys[0], `not-me\n${text}`)}`
  }

  /** Undefined if the token was not made by this site, or is too old. */
  readNotMe(token: string, now = Date.now()): HeldVersionRef | undefined {
    const [, memberId = '', scriptId = '', number = '', expires = '', signature = ''] = HELD_TOKEN.exec(token) ?? []
    if (Number(expires) * 1000 <= now) return undefined
    const signed = `not-me\n${memberId}.${scriptId}.${number}.${expires}`
    const isSigned = this.#keys.some((key) => isEqual(signature, this.#sign(key, signed)))
    return isSigned ? { memberId: Number(memberId), scriptId: Number(scriptId), number: Number(number) } : undefined
  }

  hashes(text: string): [Buffer, ...Buffer[]] {
    const [current, ...retired] = this.#keys
    const hash = (key: Buffer) => createHmac('sha256', key).update(text).digest()
    return [hash(current), ...retired.map(hash)]
  }

  #sign(key: Buffer, text: string): string {
    return createHmac('sha256', key).update(text).digest('base64url')
  }
}

const isChosenKind = (kind: string): kind is ChosenKind => CHOSEN_KINDS.includes(kind)

export function isEqual(first: string, second: string): boolean {
  return timingSafeEqual(hashToken(first), hashToken(second))
}
