import type { LucideIcon } from 'lucide-react'
import CircleAlert from 'lucide-react/icons/circle-exclamation-point'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-exclamation-point'

interface Look {
  icon: LucideIcon
  colour: string
  /** For those who do not see the sign. */
  word: string
}

const INFO: Look = { icon: Info, colour: 'text-accent', word: 'Info' }
const LOOKS = new Map<string, Look>([
  ['info', INFO],
  ['success', { icon: CircleCheck, colour: 'text-success', word: 'Success' }],
  ['warning', { icon: TriangleAlert, colour: 'text-warning', word: 'Warning' }],
  ['error', { icon: CircleAlert, colour: 'text-danger', word: 'Error' }],
])

/** How a notification of a type looks; an unknown type is info. */
export const lookOf = (type: string): Look => LOOKS.get(type) ?? INFO
