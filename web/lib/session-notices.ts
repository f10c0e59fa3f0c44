import { ApiError } from './api-error.ts'
import type { SessionNotice } from './session.tsx'

const UNAUTHORIZED = 401

/** What to say when nobody could be found behind the token; of a session that has simply ended, nothing. */
export function describeSessionError(error: unknown, isArrival: boolean): SessionNotice | undefined {
  const { status, message } = error instanceof ApiError ? error : { status: 0, message: '' }
  if (status !== UNAUTHORIZED) return { title: 'Auth check failed', text: message, tone: 'error' }
  if (!isArrival) return undefined
  return { title: 'Login failed', text: 'That sign-in is not valid any more. Please sign in again.', tone: 'error' }
}

/** What to say of a sign-out that the server may not have heard of. */
export function describeSignOutError(error: unknown): SessionNotice | undefined {
  if (!(error instanceof ApiError) || error.status === UNAUTHORIZED) return undefined
  const text = 'The site did not answer: on the server this session lasts until it expires.'
  return { title: 'You are signed out in this browser', text, tone: 'info' }
}

type Listener = (notice: SessionNotice) => void

/** Keeps what nobody has listened to yet. */
export function createNotices() {
  const waiting: SessionNotice[] = []
  const listeners = new Set<Listener>()
  return {
    tell: (notice: SessionNotice | undefined): void => {
      if (!notice) return
      if (listeners.size === 0) waiting.push(notice)
      for (const listener of listeners) listener(notice)
    },
    listen: (listener: Listener): (() => void) => {
      listeners.add(listener)
      for (const notice of waiting.splice(0)) listener(notice)
      return () => void listeners.delete(listener)
    },
  }
}
