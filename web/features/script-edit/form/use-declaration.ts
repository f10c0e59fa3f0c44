import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Behavior } from '#contract/behavior.ts'
import { findSecrets, type Followed, followCheck, type Secret } from './declaration.ts'
import { type ScriptCheck, useScriptCheck } from './use-script-check.ts'
import { changedFields, type ScriptValues } from './values.ts'

export const CONFIRM_SECRET = 'Remove the secret from your code, or confirm that you want to publish it.'

interface Options {
  values: ScriptValues
  change: (change: Partial<ScriptValues>) => void
  /** Whether the code is checked now. */
  isActive: boolean
  /** Whether the answers are filled in from what is found. If not, the author declares what is new. */
  isFilledIn: boolean
  /** Whether publishing makes the code visible to others, so that the author must confirm its secrets. */
  isForOthers: boolean
}

export interface DeclarationState {
  check: ScriptCheck
  /** Secrets in the code that others will see. */
  secrets: Secret[]
  isConfirmed: boolean
  confirm: (isConfirmed: boolean) => void
  /**
   * The values to publish, with the declaration for the newest code. Undefined if the author must confirm a secret
   * first. Never rejects, and waits a few seconds at most.
   */
  prepare: (values: ScriptValues) => Promise<ScriptValues | undefined>
}

const nameSecrets = (secrets: readonly Secret[]) => secrets.map(({ name }) => name).join('\n')

/** Compares what the code does with what the author declares, and fills in the answers of a new declaration. */
export function useDeclaration(options: Options): DeclarationState {
  const { values, change, isActive, isFilledIn, isForOthers } = options
  const check = useScriptCheck(values.script_content, isActive)
  const before = useRef<Followed>(undefined)
  const [confirmed, setConfirmed] = useState('')

  const follow = (current: ScriptValues, now: Behavior): ScriptValues => {
    if (!isFilledIn) return current
    before.current = followCheck(current, before.current, now)
    return { ...current, ...before.current.declaration }
  }
  const fillIn = useEffectEvent((behavior: Behavior) => {
    const next = follow(values, behavior)
    const { declared_capabilities, declared_hosts } = next
    if (changedFields(values, next).length > 0) change({ declared_capabilities, declared_hosts })
  })
  const { status, behavior } = check
  useEffect(() => {
    if (status === 'ready' && behavior && isFilledIn) fillIn(behavior)
  }, [status, behavior, isFilledIn])

  const secrets = isForOthers ? findSecrets(behavior) : []
  return {
    check,
    secrets,
    isConfirmed: confirmed === nameSecrets(secrets),
    confirm: (isConfirmed) => setConfirmed(isConfirmed ? nameSecrets(secrets) : ''),
    prepare: async (newest) => {
      if (!isActive) return newest
      const checked = await check.checkNow(newest.script_content)
      if (!checked) return newest
      const needed = isForOthers ? nameSecrets(findSecrets(checked)) : ''
      return needed === '' || needed === confirmed ? follow(newest, checked) : undefined
    },
  }
}
