import type { ComponentType } from 'react'
import type { LoaderFunction } from 'react-router'

/** The portal's tabs. In a separate module, so that visitors do not download the list of chunks. */
export const tabs = import.meta.glob<{ Component: ComponentType; loader: LoaderFunction }>('./*-tab.tsx')
