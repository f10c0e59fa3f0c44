import { createServer } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findFreePort } from '#tests/support/free-port.ts'
import { MailServer, type Misbehavior, TIMEOUTS } from '#tests/support/email.ts'
import { createMailer, type OutgoingEmail, RejectedError } from './smtp.ts'

const server = new MailServer()
beforeAll(() => server.start())
afterAll(() => server.close())
beforeEach(() => {
  server.received.length = 0
  server.misbehaviors.length = 0
})

const EMAIL: OutgoingEmail = {
  id: '5f0c6f7e-0000-4000-8000-000000000001',
  address: 'ada@example.com',
  siteName: 'Other name',
  subject: 'Grüße',
  text: 'Text.\n.\nEnd.\n',
  html: '<p>Text.</p>',
  date: new Date('2030-01-31T12:00:00Z'),
  unsubscribeUrl: 'https://yard.example/email/unsubscribe?token=1.digest.abc',
}

const send = (email: Partial<OutgoingEmail> = {}, signal = new AbortController().signal, smtpUrl = server.url) =>
  createMailer({ ...server.settings, smtpUrl }, 'https://yard.example', TIMEOUTS).send({ ...EMAIL, ...email }, signal)

function first() {
  const [email] = server.received
  if (!email) throw new Error('The server received no email.')
  return email
}

test('an email has the headers of an automatic email that clients can unsubscribe from', async () => {
  expect(await send()).toMatch(/^250 /)
  const { from, to, envelopeId, mail, raw } = first()
  expect([from, to, envelopeId]).toEqual(['bounces@yard.example', ['ada@example.com'], EMAIL.id])
  expect(mail.from?.value).toEqual([{ name: 'Yard', address: 'mail@yard.example' }])
  expect(mail.to).toMatchObject({ value: [{ address: 'ada@example.com' }] })
  expect(mail).toMatchObject({
    subject: 'Grüße',
    messageId: `<${EMAIL.id}@yard.example>`,
    date: EMAIL.date,
    html: '<p>Text.</p>',
    attachments: [],
  })
  expect(mail.text?.trimEnd()).toBe('Text.\n.\nEnd.')
  expect(mail.headers.has('x-mailer')).toBe(false)
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
  const unfolded = raw.replaceAll(/\r\n[ \t]+/g, ' ')
  expect(unfolded).toMatch(/^List-Unsubscribe: <https:\/\/yard\.example\/email\/unsubscribe\?token=1\.digest\.abc>\r$/m)
  expect(unfolded).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m)
})

test('a sender without a name has that of the site', async () => {
  const { settings, url } = server
  const mailer = createMailer(
    { ...settings, smtpUrl: url, from: { ...settings.from, name: '' } },
    'https://yard.example',
    TIMEOUTS,
  )
  await mailer.send(EMAIL, new AbortController().signal)
  expect(first().mail.from?.value).toEqual([{ name: 'Other name', address: 'mail@yard.example' }])
})

test('an email that cannot be unsubscribed from does not say so', async () => {
  await send({ unsubscribeUrl: undefined })
  expect(server.received[0]?.raw).not.toMatch(/List-Unsubscribe/i)
})

test('an address with letters of any script is reached', async () => {
  await send({ address: 'jörg.漢字@example.com' })
  expect(first().to).toEqual(['jörg.漢字@example.com'])
})

test('line breaks in a subject or an address add no headers and no recipients', async () => {
  await send({ subject: 'Hi\r\nBcc: victim@example.com\r\nX-Evil: 1\r\n\r\n<b>Body</b>' })
  const { to, mail } = first()
  expect(to).toEqual(['ada@example.com'])
  expect([mail.bcc, mail.headers.get('x-evil')]).toEqual([undefined, undefined])
  for (const address of ['ada@example.com>\r\nRCPT TO:<victim@example.com', 'ada@example.com, victim@example.com']) {
    await expect(send({ address })).rejects.toThrow('not an address')
  }
  expect(server.received).toHaveLength(1)
})

describe('an address is invalid', () => {
  const reject = (step: 'recipient' | 'message' | 'sender', code: number, text: string) => {
    server.misbehaviors.push({ type: 'reject', step, code, text })
    return send().then(
      () => undefined,
      (error: unknown) => error,
    )
  }

  test.each([
    [550, '5.1.1 No such user'],
    [550, 'No such user'],
    [551, '5.1.6 Moved'],
    [550, '5.2.1 Mailbox disabled'],
  ])('if it is rejected with %i %s', async (code, text) => {
    expect(await reject('recipient', code, text)).toMatchObject({ name: 'RejectedError', isAddressInvalid: true })
  })

  test.each([
    ['recipient', 552, '5.2.2 Mailbox full'],
    ['recipient', 550, '5.7.1 Blocked by policy'],
    ['message', 554, '5.7.1 Looks like spam'],
    ['message', 550, 'No thanks'],
  ] as const)('not if the %s is rejected with %i %s', async (step, code, text) => {
    expect(await reject(step, code, text)).toMatchObject({ name: 'RejectedError', isAddressInvalid: false })
  })

  test.each([
    ['recipient', 450, '4.2.0 Greylisted, try again later'],
    ['message', 451, '4.3.0 Later'],
    // A mistake of the operator, not of the member.
    ['sender', 553, '5.7.1 Sender not allowed'],
  ] as const)('unknown, and the email is sent again, if the %s gets %i %s', async (step, code, text) => {
    const error = await reject(step, code, text)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(RejectedError)
  })
})

describe('an email fails in time and can be sent again', () => {
  test.each<[string, Misbehavior]>([
    ['drops the connection at once', { type: 'drop', step: 'greeting' }],
    ['drops the connection after the message', { type: 'drop', step: 'message' }],
    ['never greets', { type: 'hang', step: 'greeting' }],
    ['never confirms the message', { type: 'hang', step: 'message' }],
  ])('if the server %s', async (_name, misbehavior) => {
    server.misbehaviors.push(misbehavior)
    await expect(send()).rejects.not.toBeInstanceOf(RejectedError)
    expect(await send()).toMatch(/^250 /)
  })

  test('if no server listens', async () => {
    await expect(send({}, undefined, `smtp://127.0.0.1:${await findFreePort()}`)).rejects.not.toBeInstanceOf(
      RejectedError,
    )
  })

  test('if the server speaks no TLS where it should', async () => {
    await expect(send({}, undefined, server.url.replace('smtp:', 'smtps:'))).rejects.not.toBeInstanceOf(RejectedError)
  })

  test('if the server on another machine would get the password unencrypted', async () => {
    // Another name of this machine.
    const smtpUrl = server.url.replace('127.0.0.1', 'me:secret@0.0.0.0')
    await expect(send({}, undefined, smtpUrl)).rejects.toMatchObject({ code: 'ETLS' })
    expect(server.received).toEqual([])
  })

  test('if the server sends one byte after the other', async () => {
    let stop = () => {}
    const drip = createServer((socket) => {
      stop = () => socket.destroy()
      socket.write('220 Hello\r\n')
      const timer = setInterval(() => socket.write('2'), 100)
      socket.on('error', () => {}).on('close', () => clearInterval(timer))
    })
    const port = await findFreePort()
    await new Promise<void>((resolve) => drip.listen(port, '127.0.0.1', resolve))
    const timeouts = { ...TIMEOUTS, greetingMs: 60_000, totalMs: 700 }
    const mailer = createMailer(
      { ...server.settings, smtpUrl: `smtp://127.0.0.1:${port}` },
      'https://yard.example',
      timeouts,
    )
    await expect(mailer.send(EMAIL, new AbortController().signal)).rejects.toThrow('aborted')
    stop()
    await new Promise((resolve) => drip.close(resolve))
  })

  test('if the process stops', async () => {
    server.misbehaviors.push({ type: 'hang', step: 'message' })
    await expect(send({}, AbortSignal.timeout(200))).rejects.toThrow('aborted')
  })
})
