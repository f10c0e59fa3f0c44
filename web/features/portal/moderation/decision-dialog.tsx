import { useState } from 'react'
import EyeOff from 'lucide-react/icons/eye-off'
import MessageSquareWarning from 'lucide-react/icons/message-square-warning'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { DECISION_MUTE_HOURS } from '#contract/limits.ts'
import type { BodyOf } from '#contract/operations.ts'
import type { ReportCase } from '#contract/reports.ts'
import { FormDialog } from '#web/shared/form-dialog.tsx'
import { ReasonField } from '#web/shared/reason-field.tsx'
import { REASON_LABELS, type ReportReason } from '#web/shared/report-reasons.ts'
import { ChoiceField } from '#web/ui/choice-field.tsx'
import { MUTE_HOURS } from '#web/features/portal/mute-hours.ts'
import { type RadioCard, RadioCards } from '#web/ui/radio-cards.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { decisionText, isUnwritten, ruleOf } from './decision-text.ts'

export type CaseAction = BodyOf<'PUT /api/reports'>['action']
/** Also the release of a version that is held. */
export type QueueAction = CaseAction | 'release_version'
/** Actions without a dialog. */
export type ImmediateAction = Extract<CaseAction, 'claim' | 'release'>
type Verdict = Extract<CaseAction, 'hide' | 'resolve' | 'dismiss'>
type SingleAction = Extract<QueueAction, 'hide' | 'unhide' | 'uphold' | 'grant' | 'release_version'>

/** What the dialog decides: a waiting case, or one action on a decided case. */
export type Decision = 'decide' | SingleAction

export const ACTION_LABELS: Record<QueueAction | 'decide', string> = {
  decide: 'Decide',
  claim: 'Claim',
  release: 'Release',
  release_version: 'Release the version',
  resolve: 'Notify the author',
  dismiss: 'Dismiss',
  hide: 'Hide',
  unhide: 'Show again',
  uphold: 'Uphold the decision',
  grant: 'Grant the appeal',
}

const SINGLE_ACTIONS: Record<SingleAction, { text: string; tone: 'primary' | 'danger' }> = {
  hide: {
    text: 'Only the author, moderators and admins can see it. You can show it again.',
    tone: 'danger',
  },
  unhide: {
    text: 'Makes it visible again. The author is notified with your reason. You can hide it again.',
    tone: 'primary',
  },
  uphold: {
    text: "Keeps the decision. The author is notified with your reason and can't appeal again.",
    tone: 'primary',
  },
  release_version: {
    text: 'The version becomes current at once, and the case is closed. The author is not warned.',
    tone: 'primary',
  },
  grant: {
    text: 'Reverses the decision and makes hidden content visible again. The author is notified and the case is closed.',
    tone: 'primary',
  },
}

const VERDICTS: Record<Verdict, RadioCard<Verdict>> = {
  hide: {
    value: 'hide',
    label: 'Hide',
    text: 'Only the author and staff can see it. The author gets your reason and can appeal once.',
    icon: EyeOff,
  },
  resolve: {
    value: 'resolve',
    label: 'Notify the author',
    text: 'Stays visible. The author gets your reason and can appeal once.',
    icon: MessageSquareWarning,
  },
  dismiss: {
    value: 'dismiss',
    label: 'No violation',
    text: 'Stays visible. Reporters are notified. Final.',
    icon: ShieldCheck,
  },
}

const RULE_OPTIONS: Record<ReportReason | '', string> = {
  '': 'Choose a rule...',
  ...REASON_LABELS,
}

function verdictsFor({ subject_type, is_hidden }: ReportCase): Verdict[] {
  const canHide = subject_type !== 'profile' && !is_hidden
  return [...(canHide ? (['hide'] as const) : []), 'resolve', 'dismiss']
}

/** About a version that waits, the decisions say what becomes of it. */
function describeVerdict(verdict: Verdict, { held_version }: ReportCase): RadioCard<Verdict> {
  const card = VERDICTS[verdict]
  if (!held_version) return card
  const { version } = held_version
  if (verdict === 'resolve')
    return { ...card, text: `Version ${version} is discarded. The author reads your reason and can appeal once.` }
  if (verdict === 'dismiss')
    return {
      ...card,
      text: `Version ${version} stays held until its author has confirmed it and its waiting time is over.`,
    }
  return card
}

export interface DecisionInput {
  reason: string
  /** Mutes the author, too. */
  muteHours?: (typeof DECISION_MUTE_HOURS)[number] | undefined
}

interface Props {
  reportCase: ReportCase
  onDecide: (action: QueueAction, input: DecisionInput) => Promise<void>
  onClose: () => void
}

export function DecisionDialog({ decision, ...props }: Props & { decision: Decision }) {
  if (decision === 'decide') return <VerdictDialog {...props} />
  return <SingleActionDialog action={decision} {...props} />
}

/** Decides a waiting case in one step: what happens to the content, the rule, and the reason for the author. */
function VerdictDialog({ reportCase, onDecide, onClose }: Props) {
  const verdicts = verdictsFor(reportCase)
  const { findings, can_mute } = reportCase
  const [chosen, setChosen] = useState<Verdict>()
  const [rule, setRule] = useState<ReportReason | ''>(() => ruleOf(reportCase) ?? '')
  const [reason, setReason] = useState('')
  const [isMuting, setMuting] = useState(false)
  const [hours, setHours] = useState<keyof typeof MUTE_HOURS>('24')
  const isViolation = chosen !== undefined && chosen !== 'dismiss'
  const muteHours = isViolation && isMuting ? DECISION_MUTE_HOURS.find((value) => String(value) === hours) : undefined
  // The text of a rule stays editable, and replaces only the text of another one.
  const fillIn = (next: ReportReason | '') => {
    if (isUnwritten(reason, findings)) setReason(next === '' ? '' : decisionText(next, findings))
  }
  const choose = (verdict: Verdict) => {
    setChosen(verdict)
    fillIn(verdict === 'dismiss' ? '' : rule)
  }
  const chooseRule = (next: ReportReason | '') => {
    setRule(next)
    fillIn(next)
  }
  return (
    <FormDialog
      title={ACTION_LABELS.decide}
      size="md"
      submitLabel={chosen ? ACTION_LABELS[chosen] : ACTION_LABELS.decide}
      busyLabel="Working..."
      tone={chosen === 'hide' ? 'danger' : 'primary'}
      canSubmit={chosen !== undefined && (!isViolation || reason.trim() !== '')}
      onSubmit={async () => chosen && onDecide(chosen, { reason: reason.trim(), muteHours })}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Subject reportCase={reportCase} />
          <RadioCards
            legend="Decision"
            value={chosen}
            cards={verdicts.map((verdict) => describeVerdict(verdict, reportCase))}
            onChange={choose}
          />
          {isViolation && (
            <ChoiceField
              name="rule"
              label="Broken rule"
              value={rule}
              options={RULE_OPTIONS}
              help="Fills in the reason."
              onChange={chooseRule}
            />
          )}
          <ReasonField
            value={reason}
            help={isViolation || !chosen ? 'The author will see it.' : 'Optional.'}
            isRequired={chosen !== 'dismiss'}
            error={errors['decision']}
            onChange={setReason}
          />
          {isViolation && can_mute && (
            <>
              <Switch
                label="Mute author"
                help="They can browse but not post. A granted appeal ends the mute."
                isOn={isMuting}
                onChange={setMuting}
              />
              {isMuting && (
                <ChoiceField name="duration" label="Duration" value={hours} options={MUTE_HOURS} onChange={setHours} />
              )}
            </>
          )}
        </>
      )}
    </FormDialog>
  )
}

function SingleActionDialog({ reportCase, action, onDecide, onClose }: Props & { action: SingleAction }) {
  const [reason, setReason] = useState('')
  const { text, tone } = SINGLE_ACTIONS[action]
  return (
    <FormDialog
      title={ACTION_LABELS[action]}
      submitLabel={ACTION_LABELS[action]}
      busyLabel="Working..."
      tone={tone}
      canSubmit={reason.trim() !== ''}
      onSubmit={() => onDecide(action, { reason: reason.trim() })}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Subject reportCase={reportCase} />
          <p className="text-muted">{text}</p>
          <ReasonField value={reason} error={errors['decision'] ?? errors['reason']} onChange={setReason} />
        </>
      )}
    </FormDialog>
  )
}

function Subject({ reportCase }: Pick<Props, 'reportCase'>) {
  return (
    <p className="wrap-anywhere">
      <bdi className="font-medium">{reportCase.subject_title}</bdi>{' '}
      <span className="text-muted">
        by <bdi>{reportCase.author_name}</bdi>
      </span>
    </p>
  )
}
