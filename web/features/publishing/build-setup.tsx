import type { TrustedPublisher } from '#contract/trusted-publishing.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'

interface Props {
  publisher: TrustedPublisher
  site: string
  slug: string
}

/** The files that a repository needs for trusted publishing, to copy. */
export function BuildSetup({ publisher, site, slug }: Props) {
  const { forge, repository, workflow } = publisher
  return (
    <details className="sm:pl-8">
      <summary className="inline-flex min-h-11 items-center rounded-sm text-sm text-accent hover:underline sm:min-h-8">
        Set up the build<span className="sr-only"> of {repository}</span>
      </summary>
      <div className="mt-2 flex flex-col gap-4">
        <Snippet
          label="scriptyard.json, in the repository"
          text={manifestOf(site, slug)}
          help="Change the file, and copy the title and description of your script."
        />
        <Snippet
          label={forge.kind === 'github' ? `.github/workflows/${workflow}` : workflow}
          text={forge.kind === 'github' ? workflowOf(publisher, site) : pipelineOf(publisher, site)}
        />
      </div>
    </details>
  )
}

const copyFailure = { title: "Couldn't copy the text", text: 'Select it and copy it yourself.' }

function Snippet({ label, text, help }: { label: string; text: string; help?: string }) {
  return (
    <figure className="flex min-w-0 flex-col gap-2">
      <figcaption className="flex flex-wrap items-center justify-between gap-2">
        <code className="min-w-0 text-sm wrap-anywhere">{label}</code>
        <CopyButton size="sm" load={() => Promise.resolve(text)} failure={copyFailure} />
      </figcaption>
      <pre
        role="region"
        aria-label={label}
        dir="ltr"
        className="rounded-sm border border-line bg-surface-2 p-3 font-mono text-sm wrap-anywhere whitespace-pre-wrap"
      >
        {text}
      </pre>
      {help && <p className="text-sm text-muted">{help}</p>}
    </figure>
  )
}

const manifestOf = (site: string, slug: string): string =>
  JSON.stringify({ site, slug, file: 'script.luau', title: 'Your title', description: 'Your description.' }, null, 2)

/** A text as a YAML scalar. JSON strings are valid YAML. */
const yaml = (text: string): string => (/^[\w./-]+$/.test(text) ? text : JSON.stringify(text))

/** The command line of the site itself. */
const commandOf = (site: string): string => `npx --yes ${site}/cli.tgz publish`

const workflowOf = ({ branch, environment }: TrustedPublisher, site: string): string =>
  [
    'name: Publish',
    'on:',
    '  push:',
    `    branches: [${yaml(branch ?? 'main')}]`,
    'permissions:',
    '  contents: read',
    '  id-token: write',
    'jobs:',
    '  publish:',
    '    runs-on: ubuntu-latest',
    ...(environment === null ? [] : [`    environment: ${yaml(environment)}`]),
    '    steps:',
    '      - uses: actions/checkout@v4',
    '      - uses: actions/setup-node@v4',
    '        with:',
    '          node-version: 22',
    `      - run: ${commandOf(site)}`,
  ].join('\n')

const pipelineOf = ({ branch, environment }: TrustedPublisher, site: string): string =>
  [
    'publish:',
    '  image: node:22',
    '  rules:',
    `    - if: $CI_COMMIT_BRANCH == ${branch === null ? '$CI_DEFAULT_BRANCH' : JSON.stringify(branch)}`,
    ...(environment === null ? [] : [`  environment: ${yaml(environment)}`]),
    '  id_tokens:',
    '    SCRIPTYARD_ID_TOKEN:',
    `      aud: ${site}`,
    '  script:',
    `    - ${commandOf(site)}`,
  ].join('\n')
