import Type, { type Static } from 'typebox'
import { DIGESTS } from './limits.ts'
import { nullableText, type Operation, strict } from './operation.ts'

const choices = {
  digest: Type.Enum([...DIGESTS], { description: 'How often unread notifications are sent' }),
  sign_ins: Type.Boolean({ description: 'Whether sign-ins from a new device are sent' }),
  decisions: Type.Boolean({ description: "Whether moderators' decisions about the member's content are sent" }),
}

export const EmailSettings = Type.Object({
  address: Type.Union(nullableText.anyOf, { description: 'The confirmed address' }),
  is_bouncing: Type.Boolean({
    description: 'Whether nothing is sent because the mail server of the address rejects it',
  }),
  pending_address: Type.Union(nullableText.anyOf, { description: 'A new address that is not confirmed yet' }),
  ...choices,
})
export type EmailSettings = Static<typeof EmailSettings>

export const emailOperations = {
  'GET /api/email-settings': {
    access: 'member',
    summary: "The caller's email address and email settings. 404 `email_unavailable` if the site sends no email",
    response: { 200: EmailSettings },
  },
  'PUT /api/email-settings': {
    access: 'member',
    summary: 'Change which email the caller receives; omitted fields stay as they are',
    body: Type.Partial(Type.Object(choices), strict),
    response: { 200: EmailSettings },
  },
  'PUT /api/email-address': {
    access: 'member',
    summary:
      'Send a link to an address, which becomes the address of the caller when the link is opened within 24 hours',
    body: Type.Object({ address: Type.String({ title: 'Email address' }) }, strict),
    response: { 202: EmailSettings },
  },
  'DELETE /api/email-address': {
    access: 'member',
    summary: 'Remove the address of the caller and one that is not confirmed yet; email that was not sent is dropped',
    response: { 200: EmailSettings },
  },
} as const satisfies Record<string, Operation>
