import type { Location } from '#web/router/location.ts'

/** State of the navigation to the front page: what a visitor wanted to do, and where. */
export interface SignInRequest {
  purpose: string
  path: string
}

/** What a visitor who was redirected to this page wanted. */
export const signInRequestOf = ({ state }: Location): SignInRequest | undefined =>
  (state as { signInRequest?: SignInRequest } | null)?.signInRequest
