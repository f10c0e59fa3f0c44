import { createContext, useContext } from 'react'

type Preload = (path: string) => void

/** Without a provider, as on the server, nothing is loaded ahead. */
export const PreloadContext = createContext<Preload>(() => undefined)

/** Loads the code of the page at a path, so that it is there by the time somebody who points at it has clicked. */
export const usePreload = (): Preload => useContext(PreloadContext)
