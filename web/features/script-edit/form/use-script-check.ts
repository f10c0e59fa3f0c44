import { useEffect, useRef, useState } from 'react'
import type { Behavior } from '#contract/behavior.ts'
import type { DuplicateOf } from '#contract/duplicates.ts'
import type { ResultOf } from '#contract/operations.ts'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { utf8Length } from '#web/lib/text.ts'
import { MAX_CODE_BYTES } from '#contract/limits.ts'

/** Pause after typing. Members may make 40 checks a minute. */
const PAUSE_MS = 1000
const MIN_INTERVAL_MS = 2000
/** Publishing waits this long for the check of the last change. */
const MAX_WAIT_MS = 8000

export type CheckStatus = 'idle' | 'checking' | 'ready' | 'failed'

export interface ScriptCheck {
  status: CheckStatus
  /** What the newest checked code does. Stays while newer code is checked. */
  behavior: Behavior | undefined
  /** The script of another member with the newest checked code. */
  duplicate: DuplicateOf | null
  /** What this code does. Undefined if the check fails or takes long. */
  checkNow: (code: string) => Promise<Behavior | undefined>
}

interface Checked {
  code: string
  result: ResultOf<'POST /api/script-check'> | undefined
}

const canCheck = (code: string) => code.trim() !== '' && utf8Length(code) <= MAX_CODE_BYTES

/** Undefined on errors. */
const request = (api: Api, code: string, signal: AbortSignal): Promise<Checked['result']> =>
  api('POST /api/script-check', { body: { script_content: code }, signal }).catch(() => undefined)

/** Reads on the server what the code does, after each pause in typing. */
export function useScriptCheck(code: string, isActive: boolean): ScriptCheck {
  const api = useApi()
  const [checked, setChecked] = useState<Checked>()
  const sentAt = useRef(-Infinity)
  const isWanted = isActive && canCheck(code)
  const isCurrent = checked?.code === code

  useEffect(() => {
    if (!isWanted || isCurrent) return
    const controller = new AbortController()
    const check = async () => {
      sentAt.current = performance.now()
      const result = await request(api, code, controller.signal)
      if (!controller.signal.aborted) setChecked({ code, result })
    }
    const wait = Math.max(PAUSE_MS, sentAt.current + MIN_INTERVAL_MS - performance.now())
    const timer = setTimeout(() => void check(), wait)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [api, code, isWanted, isCurrent])

  return {
    status: statusOf(isWanted, checked, isCurrent),
    behavior: isWanted ? checked?.result?.behavior : undefined,
    duplicate: (isWanted && checked?.result?.duplicate_of) || null,
    checkNow: async (newest) => {
      if (!canCheck(newest)) return undefined
      if (checked?.code === newest && checked.result) return checked.result.behavior
      const result = await request(api, newest, AbortSignal.timeout(MAX_WAIT_MS))
      if (result) setChecked({ code: newest, result })
      return result?.behavior
    },
  }
}

function statusOf(isWanted: boolean, checked: Checked | undefined, isCurrent: boolean): CheckStatus {
  if (!isWanted) return 'idle'
  if (!isCurrent) return 'checking'
  return checked?.result && checked.result.behavior.status !== 'failed' ? 'ready' : 'failed'
}
