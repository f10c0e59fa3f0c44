import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useApi } from '#web/lib/api-context.ts'
import type { Api } from '#web/lib/client.ts'
import { describeActionError } from '#web/lib/describe-error.ts'
import { useUser } from '#web/lib/session.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { useMemberAction } from './use-member-action.ts'

/** Something that a member turns on and off, and the number of members who have it on if that is public. */
interface ToggleState {
  isOn: boolean
  count: number
}

interface Options {
  /** Unique name of the action, for example 'watch 12'. */
  name: string
  /** The number before the member's own state is known. */
  count: number
  load: (api: Api, signal: AbortSignal) => Promise<ToggleState>
  set: (api: Api, isOn: boolean) => Promise<ToggleState>
  failure: string
  onChanged?: ((state: ToggleState) => void) | undefined
}

/**
 * The state of a toggle button, and a function to press it. Changes show at once and are corrected by the response. Visitors
 * sign in first, and the toggle is turned on when they return.
 */
export function useToggle({ name, count, load, set, failure, onChanged }: Options) {
  const api = useApi()
  const toast = useToast()
  const memberId = useUser()?.id
  const [state, setState] = useState<ToggleState>({ isOn: false, count })
  // The last state that the server confirmed, which a failed press returns to.
  const confirmed = useRef(state)
  // The response to a press is newer than the state that is loading.
  const isChanged = useRef(false)
  const isSending = useRef(false)
  // The last press, which is sent after the one that is being sent.
  const wanted = useRef(false)
  const loadState = useEffectEvent(load)
  useEffect(() => {
    if (memberId === undefined) return undefined
    const request = new AbortController()
    const show = (loaded: ToggleState) => {
      if (isChanged.current) return
      confirmed.current = loaded
      if (!isSending.current) setState(loaded)
    }
    // Without a state the button turns on, which changes nothing if it is on already.
    loadState(api, request.signal).then(show, () => undefined)
    return () => request.abort()
  }, [api, memberId])

  const change = async (isOn: boolean) => {
    wanted.current = isOn
    setState({ isOn, count: Math.max(0, state.count + (isOn ? 1 : -1)) })
    if (isSending.current) return
    isSending.current = true
    try {
      let sent: boolean
      do {
        sent = wanted.current
        confirmed.current = await set(api, sent)
        isChanged.current = true
        onChanged?.(confirmed.current)
      } while (wanted.current !== sent)
      setState(confirmed.current)
    } catch (error) {
      setState(confirmed.current)
      toast({ title: failure, text: describeActionError(error), tone: 'error' })
    } finally {
      isSending.current = false
    }
  }
  return { ...state, press: useMemberAction(name, () => void change(!state.isOn)) }
}
