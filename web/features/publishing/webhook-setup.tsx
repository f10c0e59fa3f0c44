import type { RepositorySource } from '#contract/repository-sync.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { SecretBox } from '#web/ui/secret-box.tsx'
import { Button } from '#web/ui/button.tsx'
import { controlClass } from '#web/ui/field.tsx'

interface Props {
  source: RepositorySource
  /** Shown only after it was created. */
  secret: string | undefined
  onReplace: () => void
}

const copyFailure = { title: "Couldn't copy the text", text: 'Select it and copy it yourself.' }

/** The steps to add a webhook to a repository, with the values to enter. */
export function WebhookSetup({ source, secret, onReplace }: Props) {
  const { forge, repository, webhook_url, last_received_at, script_count } = source.connection
  const isGitHub = forge.kind === 'github'
  const settings = `${forge.url}/${repository}${isGitHub ? '/settings/hooks/new' : '/-/hooks'}`
  return (
    // Open until the webhook works.
    <details open={last_received_at === null || secret !== undefined}>
      <summary className="inline-flex min-h-11 items-center rounded-sm text-sm text-accent hover:underline sm:min-h-8">
        Set up the webhook
      </summary>
      <div className="mt-2 flex flex-col gap-4">
        {secret !== undefined && (
          <SecretBox
            key={secret}
            title="Copy the secret now. You won't see it again."
            label="Secret of the webhook"
            noun="secret"
            secret={secret}
          />
        )}
        <ol className="flex list-decimal flex-col gap-3 pl-5 marker:text-muted">
          <li>
            Open{' '}
            <a href={settings} rel="noreferrer" className="text-accent underline">
              the webhooks of the repository
            </a>{' '}
            and add one.
          </li>
          <li className="min-w-0">
            Enter this URL:
            <CopyField label="URL of the webhook" text={webhook_url} />
          </li>
          <li>
            {isGitHub
              ? 'Choose application/json as the content type, and enter the secret.'
              : 'Enter the secret as the secret token.'}
          </li>
          <li>{isGitHub ? 'Choose “Just the push event”.' : 'Choose push events.'}</li>
        </ol>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <Button size="sm" onClick={onReplace}>
            New secret
          </Button>
          {script_count > 1 && (
            <p className="text-sm text-muted">This webhook updates {script_count} of your scripts.</p>
          )}
        </div>
      </div>
    </details>
  )
}

function CopyField({ label, text }: { label: string; text: string }) {
  return (
    <div className="mt-2 flex gap-2 max-sm:flex-col">
      <input
        readOnly
        dir="ltr"
        value={text}
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.target.select()}
        className={`h-11 flex-1 font-mono max-sm:flex-none sm:h-10 ${controlClass}`}
      />
      <CopyButton load={() => Promise.resolve(text)} failure={copyFailure} />
    </div>
  )
}
