import { useRootData } from '#web/lib/root-data.ts'
import { Prose } from '#web/ui/prose.tsx'
import { RULES } from './community-rules.ts'

/** The default text of the page with the rules. */
export function RulesText() {
  const { site } = useRootData()
  return (
    <Prose>
      <p>
        These rules apply to everything on {site.name}: scripts, reviews, comments, collections and profiles. If
        something breaks them, report it and choose the reason. Only moderators read reports.
      </p>
      {Object.entries(RULES).flatMap(([reason, { title, text }]) => [
        <h2 key={reason}>{title}</h2>,
        <p key={`${reason} text`}>{text}</p>,
      ])}
      <h2>What happens then</h2>
      <p>
        A moderator looks at the report and hides what breaks a rule, or notifies its author. The author reads the
        reason and can appeal once; another moderator decides the appeal. Members who break the rules again can be muted
        or banned.
      </p>
    </Prose>
  )
}
