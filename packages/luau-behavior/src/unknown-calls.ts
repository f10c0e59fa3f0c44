import type { Site } from './findings.ts'
import type { Run } from './run.ts'
import { ORIGIN, POWERS } from './origins.ts'
import { type Results, unknownResults } from './results.ts'
import { UNRESOLVED } from './unresolved.ts'
import { Instance, originOf, originsOf, Unknown, type Value } from './values.ts'

/**
 * A call of a function that is not known. One from outside of the script, such as a parameter or a function of a module, is
 * ordinary: it may call the functions it gets. One that the script hides is not.
 */
export function callUnknown(run: Run, args: Results, site: Site, callee?: Value): Results {
  run.hasWaited = true
  const from = calleeOrigin(callee)
  if (from & POWERS) run.findings.addOpaque(UNRESOLVED.function, site)
  else if (args.values.some((value) => originOf(value) & ORIGIN.hidden)) run.findings.addOpaque(UNRESOLVED.handed, site)
  for (const value of args.values) {
    run.useElsewhere(value, unknownResults(new Unknown(from)))
    run.findings.recordArgument(value, run.site?.line ?? site.line)
  }
  const origin = (originsOf(args.values) & ~POWERS) | from
  return unknownResults(new Unknown(origin, undefined, callee instanceof Unknown ? callee.madeBy : ''))
}

function calleeOrigin(callee: Value | undefined): number {
  if (callee instanceof Unknown) return callee.origin
  // A member of an object whose name is not known, or an object that is no function.
  return callee instanceof Instance ? callee.origin | ORIGIN.hidden : 0
}
