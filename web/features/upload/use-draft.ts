import { useEffect, useRef, useState } from 'react'
import { changeValues, EMPTY_VALUES, type ScriptValues } from '#web/components/script-form/values.ts'
import { DraftAutosave } from './draft-autosave.ts'

export interface DraftState {
  isReady: boolean
  values: ScriptValues
  /** That the form began with what was written earlier. */
  isRestored: boolean
  /** Undefined until something was written; false where this browser keeps nothing. */
  isKept: boolean | undefined
  change: (change: Partial<ScriptValues>) => void
  /** The newest state, also within the event that made it. */
  present: () => { key: string; values: ScriptValues }
  flush: () => Promise<void>
  discard: () => Promise<void>
  /** What stands here becomes another script than the one an earlier try made. */
  renewKey: () => void
}

/** The script a member is writing, kept in this browser until it is published or discarded. */
export function useDraft(memberId: number): DraftState {
  const keeper = useRef<DraftAutosave>(undefined)
  const [isReady, setReady] = useState(false)
  const [isRestored, setRestored] = useState(false)
  const [isKept, setKept] = useState<boolean>()
  const [values, setValues] = useState(EMPTY_VALUES)

  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const start = async () => {
      const opened = await DraftAutosave.open(memberId, (kept) => !signal.aborted && setKept(kept))
      if (signal.aborted) return opened.keeper.close()
      keeper.current = opened.keeper
      setValues(opened.keeper.draft.values)
      setRestored(opened.isRestored)
      setReady(true)
      const flush = () => void opened.keeper.flush()
      addEventListener('pagehide', flush, { signal })
      document.addEventListener('visibilitychange', flush, { signal })
    }
    void start()
    return () => {
      leaving.abort()
      keeper.current?.close()
      keeper.current = undefined
      setReady(false)
    }
  }, [memberId])

  const present = () => keeper.current?.draft ?? { key: '', values: EMPTY_VALUES }
  return {
    isReady,
    values,
    isRestored,
    isKept,
    present,
    change: (change) => {
      const changed = changeValues(present().values, change)
      keeper.current?.change(changed)
      setValues(changed)
    },
    renewKey: () => keeper.current?.renewKey(),
    flush: async () => keeper.current?.flush(),
    discard: async () => {
      await keeper.current?.discard()
      setValues(EMPTY_VALUES)
      setRestored(false)
      setKept(undefined)
    },
  }
}
