import { createContext, useContext } from 'react'

type Preload = (path: string) => void

/** Does nothing without a provider, as on the server. */
export const PreloadContext = createContext<Preload>(() => undefined)

/** Returns a function that preloads the code of the page at a path. Called when a visitor hovers over a link. */
export const usePreload = (): Preload => useContext(PreloadContext)
