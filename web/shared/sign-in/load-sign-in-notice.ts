import type { ComponentType } from 'react'
import type { SignInRequest } from './sign-in-request.ts'

type Notice = ComponentType<{ request: SignInRequest }>

/** The notice that asks a redirected visitor to sign in. Undefined on a page that nobody was redirected to. */
export const signInNotice: { Component?: Notice } = {}

export async function loadSignInNotice(): Promise<void> {
  signInNotice.Component ??= (await import('./sign-in-notice.tsx')).SignInNotice
}
