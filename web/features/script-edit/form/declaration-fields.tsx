import KeyRound from 'lucide-react/icons/key-round'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { type ReactNode, useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { CAPABILITIES } from '#contract/behavior-names.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Field } from '#web/ui/field.tsx'
import { TextInput } from '#web/ui/text-input.tsx'
import {
  type AskedId,
  declare,
  describeGaps,
  findLines,
  findNotFound,
  findUndeclared,
  hasNothingToDeclare,
  withdraw,
} from './declaration.ts'
import { findSerious } from './serious-findings.ts'
import type { DeclarationState } from './use-declaration.ts'
import type { ScriptCheck } from './use-script-check.ts'
import type { FieldErrors, ScriptValues } from './values.ts'

interface Props {
  values: ScriptValues
  errors: FieldErrors
  change: (change: Partial<ScriptValues>) => void
  check: ScriptCheck
  onLine: (line: number) => void
}

/** What the author says that the script does, filled in from its code. A sentence if there is nothing to say. */
export function DeclarationFields(props: Props) {
  const { values, change, check } = props
  const { status, behavior } = check
  const id = useId()
  const [isOpened, setOpened] = useState(false)
  const questions = useRef<HTMLFieldSetElement>(null)
  const isAnswered = values.declared_capabilities !== null
  const hasAnswers = values.declared_capabilities?.length || values.declared_hosts.trim() !== ''
  const isFound = behavior !== undefined && isAnswered && !hasNothingToDeclare(values, behavior)
  const isOpen = isOpened || status === 'failed' || isFound || Boolean(hasAnswers)
  const open = () => {
    flushSync(() => {
      setOpened(true)
      if (!isAnswered) change(declare(values, [], []))
    })
    questions.current?.querySelector('input')?.focus()
  }
  return (
    <section aria-labelledby={id} className="flex min-w-0 flex-col gap-4 border-t border-line pt-5">
      <header>
        <h3 id={id} className="font-semibold">
          Code check
        </h3>
        <p className="text-sm text-muted">Shown on your script's page next to our findings.</p>
      </header>
      {isOpen && isAnswered && <Warnings {...props} onDone={() => questions.current?.focus()} />}
      <output className="text-sm text-muted empty:absolute">{describeCheck(check, isAnswered, isOpen)}</output>
      {isOpen ? (
        <fieldset ref={questions} tabIndex={-1} className="flex min-w-0 flex-col gap-1 outline-none">
          <legend className="pb-1 font-medium">Your script...</legend>
          <Questions {...props} />
        </fieldset>
      ) : (
        status !== 'idle' && (
          <Button size="sm" onClick={open} className="self-start">
            {isAnswered ? 'Declare something' : 'Answer the questions'}
          </Button>
        )
      )}
    </section>
  )
}

function describeCheck({ status, behavior }: ScriptCheck, isAnswered: boolean, isOpen: boolean): string {
  if (status === 'idle') return isOpen ? '' : "Add your code, and we'll fill this in."
  if (status === 'failed') return "We couldn't read your code this time. You can still publish."
  if (!behavior) return 'Reading your code...'
  const gaps = describeGaps(behavior)
  if (gaps !== undefined) return gaps
  if (!isAnswered) return "You haven't said yet what this version does."
  return isOpen || findSerious(behavior, []).length > 0 ? '' : 'We found nothing in your code that you need to declare.'
}

/** What the author may have missed, each with its line. None of it stops publishing. */
function Warnings({ values, change, check: { behavior }, onLine, onDone }: Props & { onDone: () => void }) {
  if (!behavior) return null
  const undeclared = findUndeclared(values, behavior)
  const [keyLine] = findLines(behavior, ['user.key'])
  const needsSwitch = keyLine !== undefined && !values.has_key_system
  if (undeclared.length === 0 && !needsSwitch) return null
  return (
    <ul aria-label="To check before you publish" className="flex flex-col gap-2">
      {undeclared.map(({ line, ids, hosts, text }) => (
        <Warning
          key={`${line} ${text}`}
          icon={<TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />}
          action="Declare"
          onAction={() => {
            change(declare(values, ids, hosts))
            onDone()
          }}
        >
          {line === null ? 'Your code' : <LineLink line={line} onLine={onLine} />} {text}. Declare it or remove it.
        </Warning>
      ))}
      {needsSwitch && (
        <Warning
          icon={<KeyRound aria-hidden className="mt-0.5 size-5 shrink-0 text-warning" />}
          action="Turn on"
          onAction={() => {
            change({ has_key_system: true })
            onDone()
          }}
        >
          <LineLink line={keyLine} onLine={onLine} /> asks for a key, but “Key system” is off.
        </Warning>
      )}
    </ul>
  )
}

interface WarningProps {
  icon: ReactNode
  action: string
  onAction: () => void
  children: ReactNode
}

function Warning({ icon, action, onAction, children }: WarningProps) {
  const id = useId()
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 rounded-md border border-warning bg-surface-0 p-3">
      {icon}
      <p id={id} className="min-w-0 flex-1 basis-56 wrap-anywhere">
        {children}
      </p>
      <Button size="sm" aria-describedby={id} onClick={onAction}>
        {action}
      </Button>
    </li>
  )
}

function LineLink({ line, onLine }: { line: number; onLine: (line: number) => void }) {
  return (
    <button type="button" onClick={() => onLine(line)} className="font-medium text-accent underline">
      Line {line}
    </button>
  )
}

interface Question {
  label: string
  /** The first is declared when the box is checked and none was found in the code. */
  ids: readonly [AskedId, ...AskedId[]]
  /** Shown while the box is checked. */
  help?: string
}

const SERVERS: Question = { label: 'Contacts servers', ids: ['net.get', 'net.send', 'net.webhook'] }
const CONTACTS: Question[] = [
  { label: 'Downloads data', ids: ['net.get'] },
  { label: 'Sends data', ids: ['net.send'] },
  { label: CAPABILITIES['net.webhook'], ids: ['net.webhook'] },
]
const OTHERS: Question[] = [
  { label: 'Downloads and runs code', ids: ['code.remote'] },
  {
    label: CAPABILITIES['net.exfiltration'],
    ids: ['net.exfiltration'],
    help: 'Say in the description which data you collect, and why.',
  },
  { label: CAPABILITIES['fs.write'], ids: ['fs.write'] },
  { label: CAPABILITIES['user.key'], ids: ['user.key'] },
  { label: CAPABILITIES['shape.obfuscated'], ids: ['shape.obfuscated'], help: 'Say in the description why.' },
]

function Questions(props: Props) {
  const { values, errors, change } = props
  const isChecked = SERVERS.ids.some((id) => values.declared_capabilities?.includes(id))
  return (
    <>
      <QuestionBox {...props} question={SERVERS} />
      {(isChecked || values.declared_hosts !== '') && (
        <div className="mb-2 ml-2.5 flex flex-col gap-1 border-l border-line pl-5">
          {CONTACTS.map((question) => (
            <QuestionBox key={question.label} {...props} question={question} />
          ))}
          <Field name="declared_hosts" label="Servers" help="Separate with commas." error={errors['declared_hosts']}>
            {(aria) => (
              <TextInput
                {...aria}
                dir="ltr"
                placeholder="api.example.com"
                value={values.declared_hosts}
                onChange={(declared_hosts) => change({ declared_hosts })}
              />
            )}
          </Field>
        </div>
      )}
      {OTHERS.map((question) => (
        <QuestionBox key={question.label} {...props} question={question} />
      ))}
    </>
  )
}

/** A question with links to the lines of code that answer it. */
function QuestionBox({ question, values, change, check, onLine }: Props & { question: Question }) {
  const id = useId()
  const { label, ids, help } = question
  const isChecked = ids.some((each) => values.declared_capabilities?.includes(each))
  // The parts of the first question show its lines.
  const lines = question === SERVERS && isChecked ? [] : findLines(check.behavior, ids)
  const missing = check.behavior ? findNotFound(values, check.behavior) : []
  const isNotFound = ids.every((each) => missing.includes(each) || !values.declared_capabilities?.includes(each))
  const toggle = () => {
    const inCode = ids.filter((each) => findLines(check.behavior, [each]).length > 0)
    const hosts = question === SERVERS && isChecked ? values.declared_hosts.split(', ') : []
    change(isChecked ? withdraw(values, ids, hosts) : declare(values, inCode.length > 0 ? inCode : [ids[0]], []))
  }
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      <label className="flex min-h-11 cursor-pointer items-center gap-3 sm:min-h-9">
        <Checkbox checked={isChecked} onChange={toggle} aria-describedby={`${id}-help`} />
        {label}
      </label>
      <span className="flex flex-wrap items-center gap-x-2 text-sm text-muted">
        {lines.slice(0, MAX_LINES).map((line) => (
          <span key={line} className="[&>button]:min-h-11 sm:[&>button]:min-h-9">
            <LineLink line={line} onLine={onLine} />
          </span>
        ))}
        {lines.length > MAX_LINES && `and ${lines.length - MAX_LINES} more`}
        {isChecked && isNotFound && check.behavior && 'Not found in your code'}
      </span>
      <span id={`${id}-help`} className="basis-full pl-8 text-sm text-muted empty:hidden">
        {isChecked && help}
      </span>
    </div>
  )
}

const MAX_LINES = 3

interface SecretProps {
  declaration: DeclarationState
  error: string | undefined
  onLine: (line: number) => void
}

/** Warns before a token or a key becomes public. The author must confirm it to publish. */
export function SecretWarning({ declaration, error, onLine }: SecretProps) {
  const { secrets, isConfirmed, confirm } = declaration
  const id = useId()
  if (secrets.length === 0) return null
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-2 rounded-md border border-danger bg-surface-1 p-4 wrap-anywhere"
    >
      <div role="alert" className="flex items-start gap-3">
        <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-danger" />
        <div>
          <h2 id={id} className="font-semibold">
            Your code contains a secret
          </h2>
          <ul>
            {secrets.slice(0, MAX_LINES).map(({ line, name }) => (
              <li key={`${line} ${name}`}>
                <LineLink line={line} onLine={onLine} /> contains {name}.
              </li>
            ))}
          </ul>
          <p className="text-muted">
            {secrets.length > MAX_LINES && `There are ${secrets.length - MAX_LINES} more. `}
            Anyone who reads your script can use it. Remove it, and revoke it if it was ever public.
          </p>
        </div>
      </div>
      <div data-field="secret" className="pl-8">
        <label htmlFor={`${id}-confirm`} className="flex min-h-11 cursor-pointer items-center gap-3">
          <Checkbox
            id={`${id}-confirm`}
            checked={isConfirmed}
            aria-invalid={error ? true : undefined}
            aria-describedby={error ? `${id}-error` : undefined}
            onChange={(event) => confirm(event.target.checked)}
          />
          Publish it anyway
        </label>
        {error && !isConfirmed && (
          <p id={`${id}-error`} className="text-sm text-danger">
            {error}
          </p>
        )}
      </div>
    </section>
  )
}
