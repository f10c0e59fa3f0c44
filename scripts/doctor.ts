// npm run doctor: checks everything that the site needs, and says how to fix what is wrong. Changes nothing.
import { readEnvironment } from '#server/platform/config/values.ts'
import { examine, type Finding } from '#server/operations/doctor/doctor.ts'

const MARKS: Record<Finding['state'], string> = {
  ok: 'ok      ',
  skipped: 'skipped ',
  warning: 'WARNING ',
  problem: 'PROBLEM ',
}

const findings = await examine(readEnvironment())
for (const { subject, state, text } of findings) console.log(`${MARKS[state]} ${subject}: ${text}`)
const problems = findings.filter(({ state }) => state === 'problem').length
console.log(problems === 0 ? '\nThe site can run.' : `\n${problems} ${problems === 1 ? 'problem' : 'problems'} to fix.`)
process.exitCode = problems === 0 ? 0 : 1
