import type { ComponentType } from 'react'
import type { Loader } from '#web/router/routes.ts'

/** The portal's tabs. In a separate module, so that visitors do not download the list of chunks. */
export const tabs = import.meta.glob<{ Component: ComponentType; loader: Loader }>('./*/*-tab.tsx')
