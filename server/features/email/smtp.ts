import { type EmailConfig, parseAddress } from '#server/platform/config/email.ts'
import type { RenderedEmail } from './template.ts'

export interface OutgoingEmail extends RenderedEmail {
  /** Part of the Message-ID, which stays the same when an email is sent again. */
  id: string
  address: string
  /** The sender's name unless the setting SMTP_FROM has one. */
  siteName: string
  date: Date
  /** Enables the client's own button to unsubscribe (RFC 8058). */
  unsubscribeUrl: string | undefined
}

export interface SmtpTimeouts {
  connectMs: number
  /** For the server's first line. */
  greetingMs: number
  /** Without a byte from the server. */
  silenceMs: number
  /** For a whole email. Less than the time after which the queue repeats the job. */
  totalMs: number
}

const TIMEOUTS: SmtpTimeouts = { connectMs: 10_000, greetingMs: 10_000, silenceMs: 30_000, totalMs: 50_000 }

export interface Mailer {
  /** Resolves with the server's response once it has accepted the email. Throws RejectedError if a retry is useless. */
  send: (email: OutgoingEmail, signal: AbortSignal) => Promise<string>
  /** Connects and signs in without sending anything. Throws if the server refuses. */
  verify: () => Promise<void>
}

export class RejectedError extends Error {
  override name = 'RejectedError'
  readonly isAddressInvalid: boolean

  constructor(response: string, isAddressInvalid: boolean) {
    super(response)
    this.isAddressInvalid = isAddressInvalid
  }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/

/** Sends by SMTP, each email on a connection of its own. Encrypted if the server can, always if there is a password. */
export function createMailer(
  { smtpUrl, from, bounceAddress }: EmailConfig,
  publicUrl: string,
  timeouts: SmtpTimeouts = TIMEOUTS,
): Mailer {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const host = hostname.replace(/^\[|\]$/g, '')
  const isLocal = LOOPBACK.test(host)
  const openTransport = async () => {
    // Loaded when it is needed, because it takes 27 MB and most processes send nothing.
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host,
      ...(port && { port: Number(port) }),
      secure: protocol === 'smtps:',
      // Mail servers on this machine often have self-signed certificates.
      ignoreTLS: isLocal,
      requireTLS: username !== '' && !isLocal,
      ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
      name: new URL(publicUrl).hostname,
      connectionTimeout: timeouts.connectMs,
      dnsTimeout: timeouts.connectMs,
      greetingTimeout: timeouts.greetingMs,
      socketTimeout: timeouts.silenceMs,
    })
  }
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    verify: async () => void (await (await openTransport()).verify()),
    send: async ({ id, address, siteName, subject, text, html, date, unsubscribeUrl }, signal) => {
      // nodemailer would take the last of several addresses.
      if (parseAddress(address) !== address) throw new RejectedError('This is not an address.', true)
      const transport = await openTransport()
      const { response } = await transport
        .sendMail({
          envelope: { from: bounceAddress, to: address },
          from: { ...from, name: from.name || siteName },
          to: { name: '', address },
          subject,
          text,
          html,
          date,
          messageId: `<${id}@${domain}>`,
          headers: {
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
          },
          ...(unsubscribeUrl && { list: { unsubscribe: unsubscribeUrl } }),
          dsn: { id, return: 'headers', notify: ['failure'] },
          xMailer: false,
          disableFileAccess: true,
          disableUrlAccess: true,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeouts.totalMs)]),
        })
        .catch((error: SmtpError) => {
          throw toRejection(error) ?? error
        })
      return response
    },
  }
}

interface SmtpError extends Error {
  code?: string
  responseCode?: number
  response?: string
  command?: string
}

const BAD_SEQUENCE = 503

/** Undefined for errors that may pass: no connection, 4xx, and rejections of the site's own login or sender address. */
function toRejection({ code, command, responseCode = 0, response = '' }: SmtpError): RejectedError | undefined {
  if (responseCode < 500 || responseCode === BAD_SEQUENCE) return undefined
  if (command === 'RCPT TO') return new RejectedError(response, isAddressInvalid(response))
  return code === 'EMESSAGE' || command === 'DATA' ? new RejectedError(response, false) : undefined
}

/** Enhanced status codes (RFC 3463) of rejections that are not about the address: a full mailbox, the content, a policy. */
const OTHER_STATUS = /\b5\.(2\.[2-9]|3|6|7)\b/

/** Whether a permanent rejection says that the address receives no email. */
export const isAddressInvalid = (response: string): boolean => !OTHER_STATUS.test(response)
