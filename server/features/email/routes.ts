import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/platform/config.ts'
import type { Database, Transaction } from '#server/platform/db/database.ts'
import { AppError, notFound, unauthorized } from '#server/platform/http/errors.ts'
import { serve } from '#server/platform/http/operations.ts'
import type { App } from '#server/platform/http/app.ts'
import type { JobQueue } from '#server/platform/jobs/queue.ts'
import {
  changeChoices,
  confirmAddress,
  findPending,
  getSettings,
  removeAddress,
  requestAddress,
  SETTINGS_PATH,
  unsubscribe,
} from './addresses.ts'
import { parseBounce, recordBounce } from './bounces.ts'
import { emailNewDevice, rememberDevice } from './devices.ts'
import { writeDigest } from './digest.ts'
import { type ChosenKind, type EmailLinks, isEqual } from './links.ts'
import { createEmailHold, createEmailMember, type EmailHold, type EmailMember, sendNoEmail } from './outbox.ts'
import { acceptBodies, MAX_FORM_BYTES, readToken, sendPage } from './link-pages.ts'
import type { Page } from './pages.ts'
import { sendEmail } from './send.ts'
import { createMailer } from './smtp.ts'

export interface EmailOptions {
  db: Database
  jobs: JobQueue
  siteName: () => string
  links: EmailLinks
  config: Pick<Config, 'email' | 'publicUrl'>
}

/** Functions for other features. They do nothing on a site that sends no email. */
export interface Email {
  emailMember: EmailMember
  /** About a version that waits, with a link that discards it. */
  emailHold?: EmailHold
  /** Call it in the transaction of a sign-in. */
  onSignIn: (trx: Transaction, memberId: number, request: FastifyRequest) => Promise<void>
  /** Absent on a site that sends no email. */
  jobs?: EmailJobs
}

export interface EmailJobs {
  sendEmail: (id: string, signal: AbortSignal) => Promise<void>
  writeDigest: (memberId: number) => Promise<void>
}

const unavailable = () => new AppError('email_unavailable', 404, 'This site sends no email.')

export function registerEmail(app: App, options: EmailOptions): Email {
  const { db, jobs, config, siteName, links } = options
  const { email: settings, publicUrl } = config
  const requireEmail = () => {
    if (!settings) throw unavailable()
  }
  serve(app, 'GET /api/email-settings', ({ caller }) => {
    requireEmail()
    return getSettings(db, caller.id)
  })
  serve(app, 'PUT /api/email-settings', ({ caller, body }) => {
    requireEmail()
    return changeChoices(db, caller.id, body)
  })
  serve(app, 'PUT /api/email-address', async ({ caller, body, request, reply }) => {
    requireEmail()
    await requestAddress({ db, jobs, links, siteName }, caller.id, body.address)
    await rememberDevice(db, links, caller.id, request)
    reply.code(202)
    return getSettings(db, caller.id)
  })
  serve(app, 'DELETE /api/email-address', async ({ caller }) => {
    requireEmail()
    await removeAddress(db, caller.id)
    return getSettings(db, caller.id)
  })
  if (!settings) return { emailMember: sendNoEmail, onSignIn: async () => {} }

  const { bounceSecret } = settings
  app.register(async (scope) => {
    serveLinks(scope, { db, jobs, links, siteName })
    if (bounceSecret) acceptBounces(scope, db, bounceSecret)
  })
  const sending = { db, links, mailer: createMailer(settings, publicUrl), siteName, publicUrl, log: app.log }
  const emailMember = createEmailMember(jobs)
  return {
    emailMember,
    emailHold: createEmailHold(jobs, links),
    jobs: {
      sendEmail: (id, signal) => sendEmail(sending, id, signal),
      writeDigest: (memberId) => writeDigest({ db, jobs, siteName }, memberId),
    },
    onSignIn: (trx, memberId, request) => emailNewDevice(trx, { links, emailMember, siteName }, memberId, request),
  }
}

const MAX_BOUNCE_BYTES = 1_048_576

interface LinkOptions {
  db: Database
  jobs: JobQueue
  links: EmailLinks
  siteName: () => string
}

const SETTINGS_LINK = { label: 'Email settings', path: SETTINGS_PATH }

const STOPPED: Record<ChosenKind, readonly [question: string, done: string]> = {
  digest: ['Stop the digest?', 'You no longer receive the digest.'],
  sign_in: ['Stop emails about sign-ins?', 'You no longer receive emails about sign-ins from new devices.'],
  decision: ['Stop emails about decisions?', 'You no longer receive emails about moderation decisions.'],
}

function serveLinks(scope: App, options: LinkOptions): void {
  const { db, links, siteName } = options
  acceptBodies(scope)
  const send = (reply: FastifyReply, page: Page, status = 200) =>
    sendPage(reply, { page, siteName: siteName(), status })
  const expired: Page = {
    title: 'This link does not work any more',
    text: 'It was used already, replaced by a later one, or is older than 24 hours. You can ask for another one in your settings.',
    link: SETTINGS_LINK,
  }
  const damaged: Page = {
    title: 'This link is not complete',
    text: 'Copy the whole link from the email, or choose in your settings what you receive.',
    link: SETTINGS_LINK,
  }

  scope.get('/email/confirm', async (request, reply) => {
    const token = readToken(request)
    const pending = await findPending(db, token)
    if (!pending) return send(reply, expired, 404)
    return send(reply, {
      title: 'Confirm your email address',
      text: `Send email for the account ${pending.username} to ${pending.address}?`,
      button: { label: 'Confirm address', action: `/email/confirm?token=${encodeURIComponent(token)}` },
      link: { label: 'No, open the front page', path: '/' },
    })
  })
  scope.post('/email/confirm', { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
    const confirmed = await confirmAddress(options, readToken(request))
    if (!confirmed) return send(reply, expired, 404)
    const text = `Email for the account ${confirmed.username} is sent to ${confirmed.address}.`
    return send(reply, { title: 'Your address is confirmed', text, link: SETTINGS_LINK })
  })

  scope.get('/email/unsubscribe', async (request, reply) => {
    const token = readToken(request)
    const unsubscription = links.readUnsubscription(token)
    if (!unsubscription) return send(reply, damaged, 404)
    return send(reply, {
      title: STOPPED[unsubscription.kind][0],
      text: 'Other email from your account is not affected.',
      button: { label: 'Unsubscribe', action: `/email/unsubscribe?token=${encodeURIComponent(token)}` },
      link: SETTINGS_LINK,
    })
  })
  // Also for mail clients (RFC 8058), which have no session.
  scope.post('/email/unsubscribe', { bodyLimit: MAX_FORM_BYTES }, async (request, reply) => {
    const unsubscription = links.readUnsubscription(readToken(request))
    if (!unsubscription) return send(reply, damaged, 404)
    await unsubscribe(db, unsubscription)
    return send(reply, { title: 'You are unsubscribed', text: STOPPED[unsubscription.kind][1], link: SETTINGS_LINK })
  })
}

function acceptBounces(scope: App, db: Database, secret: string): void {
  scope.post(
    '/email/bounces',
    {
      bodyLimit: MAX_BOUNCE_BYTES,
      // Before the body is received.
      onRequest: async ({ headers }) => {
        if (!isEqual(headers.authorization ?? '', `Bearer ${secret}`)) throw unauthorized()
      },
    },
    async ({ body, log }) => {
      const bounce = Buffer.isBuffer(body) ? await parseBounce(body) : undefined
      if (!bounce) return { outcome: 'ignored' }
      if (!(await recordBounce(db, bounce))) throw notFound('This email')
      log.info({ email: bounce.emailId, reason: bounce.diagnosis }, 'email returned')
      return { outcome: 'recorded' }
    },
  )
}
