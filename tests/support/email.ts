import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import type { EmailConfig } from '#server/platform/config/email.ts'
import type { Database } from '#server/platform/db/database.ts'
import type { SmtpTimeouts } from '#server/features/email/smtp.ts'

export const BOUNCE_SECRET = 'a-secret-of-the-operator'

/** Email settings for sites that queue emails and send none: nothing listens on the port. */
export const EMAIL: EmailConfig = {
  smtpUrl: 'smtp://127.0.0.1:9',
  from: { name: 'Yard', address: 'mail@yard.example' },
  bounceAddress: 'bounces@yard.example',
  bounceSecret: BOUNCE_SECRET,
}

/** Short enough for tests to wait for them. */
export const TIMEOUTS: SmtpTimeouts = { connectMs: 500, greetingMs: 500, silenceMs: 500, totalMs: 5000 }

export interface ReceivedEmail {
  from: string
  to: string[]
  envelopeId: string | null | undefined
  raw: string
  mail: ParsedMail
}

/** What the server does with a connection instead of accepting its email. */
export type Misbehavior =
  | { type: 'reject'; step: 'recipient' | 'message' | 'sender'; code: number; text: string }
  | { type: 'drop'; step: 'greeting' | 'message' | 'accepted' }
  | { type: 'hang'; step: 'greeting' | 'message' }

export class MailServer {
  readonly received: ReceivedEmail[] = []
  /** For the next emails, in order; later ones are accepted. */
  readonly misbehaviors: Misbehavior[] = []
  readonly #sockets = new Set<Socket>()
  readonly #server: SMTPServer

  constructor() {
    this.#server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      hideDSN: false,
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 100,
      onConnect: (_session, done) => {
        const misbehavior = this.#next('greeting')
        if (misbehavior?.type === 'drop') this.#drop()
        else if (!misbehavior) done()
      },
      onMailFrom: (_address, _session, done) => done(this.#reject('sender')),
      onRcptTo: (_address, _session, done) => done(this.#reject('recipient')),
      onData: (stream, session, done) => void this.#receive(stream, session, done),
    })
    this.#server.on('error', () => {})
  }

  async start(port = 0): Promise<void> {
    const server = this.#server.listen(port, '127.0.0.1')
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    await once(server, 'listening')
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`
  }

  /** Email settings of a site that sends to this server. */
  get settings(): EmailConfig {
    return { ...EMAIL, smtpUrl: this.url }
  }

  close(): Promise<void> {
    this.#drop()
    return new Promise((resolve) => this.#server.close(resolve))
  }

  async #receive(
    stream: AsyncIterable<Buffer>,
    { envelope }: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of stream) chunks.push(chunk)
    } catch (error) {
      // The client went away.
      return done(error as Error)
    }
    const misbehavior = this.#next('message') ?? this.#next('accepted')
    if (misbehavior && misbehavior.step !== 'accepted') {
      if (misbehavior.type === 'drop') this.#drop()
      if (misbehavior.type === 'reject') done(toError(misbehavior))
      return
    }
    const raw = Buffer.concat(chunks).toString()
    this.received.push({
      from: envelope.mailFrom ? envelope.mailFrom.address : '',
      to: envelope.rcptTo.map(({ address }) => address),
      envelopeId: envelope.dsn?.envid,
      raw,
      mail: await simpleParser(raw),
    })
    if (misbehavior) this.#drop()
    else done()
  }

  #next(step: Misbehavior['step']): Misbehavior | undefined {
    return this.misbehaviors[0]?.step === step ? this.misbehaviors.shift() : undefined
  }

  #reject(step: 'sender' | 'recipient'): Error | null {
    const misbehavior = this.#next(step)
    return misbehavior?.type === 'reject' ? toError(misbehavior) : null
  }

  #drop(): void {
    for (const socket of this.#sockets) socket.destroy()
  }
}

const toError = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code })

/** Gives a member a confirmed address, with a weekly digest that is not due. Returns the address. */
export async function giveAddress(
  db: Database,
  member_id: number,
  address = `member${member_id}@example.com`,
): Promise<string> {
  await db
    .insertInto('email_addresses')
    .values({
      member_id,
      address,
      confirmed_at: new Date(),
      digested_through: new Date(Date.now() - 60_000),
      next_digest_at: new Date(Date.now() + 86_400_000),
    })
    .execute()
  return address
}
