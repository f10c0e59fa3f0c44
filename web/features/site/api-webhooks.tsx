import { Link } from '#web/router/router.tsx'
import { CodeBox } from './api-example.tsx'
import type { Schema } from './api-examples.ts'
import { SchemaTable } from './api-schema-table.tsx'

/** What the site sends to webhooks, by type of event, as OpenAPI describes it. */
export type WebhookMessages = Record<
  string,
  { post: { summary: string; requestBody: { content: { 'application/json': { schema: Schema } } } } }
>

const VERIFY = `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
// \`body\` is the text as it was received.
// Throws if the signature is wrong or old.
const event = webhook.verify(body, request.headers)`

/** How to receive webhooks, and what is in them. */
export function WebhooksText({ messages }: { messages: WebhookMessages }) {
  return (
    <>
      <p>
        Webhooks send events of your scripts to a URL of yours, as a POST request with JSON. Create them in your{' '}
        <Link to="/profile/settings?tab=webhooks" className="text-accent underline">
          settings
        </Link>
        , which also have the log of deliveries. Requests follow{' '}
        <a href="https://www.standardwebhooks.com/" className="text-accent underline">
          Standard Webhooks
        </a>
        , so libraries for many languages verify them with the secret of the webhook:
      </p>
      <CodeBox label="Verifying a webhook in JavaScript" text={VERIFY} />
      <p className="mt-3">
        Without a library, compute the HMAC-SHA-256 of <code>{'{webhook-id}.{webhook-timestamp}.{body}'}</code>, where
        the key is what follows <code>whsec_</code> in the secret, decoded from Base64. Compare its Base64 form in
        constant time with each entry of the header <code>webhook-signature</code>, without their prefix{' '}
        <code>v1,</code>. Reject timestamps that are more than five minutes old.
      </p>
      <p className="mt-3">
        Respond with a status from 200 to 299 within ten seconds. Other responses are failures, and the event is sent
        again for 24 hours, so it may arrive twice with the same <code>webhook-id</code>. Events of one script arrive in
        their order. If nothing arrives for 24 hours, or the URL responds with 410, the webhook is turned off and you
        are notified.
      </p>
      <h3 className="mt-4 font-semibold text-text">Events</h3>
      {Object.entries(messages).map(([type, { post }]) => (
        <div key={type} className="border-b border-line py-2">
          <p>
            <code className="text-text">{type}</code> {post.summary}
          </p>
          <SchemaTable title={`Body of ${type}`} schema={post.requestBody.content['application/json'].schema} />
        </div>
      ))}
    </>
  )
}
