import type { WaitingVersion } from '#contract/versions.ts'
import type { ScriptValues } from './form/values.ts'
import type { ToastMessage } from '#web/ui/toast.tsx'

/** What happened to a new script, which the author reads on its page. */
export function describePublished(
  { is_public, is_unlisted }: Pick<ScriptValues, 'is_public' | 'is_unlisted'>,
  waiting: WaitingVersion | null,
): ToastMessage {
  if (!is_public) {
    return {
      title: 'Script saved',
      text: 'Only you can see it. The code check appears in a few seconds.',
      tone: 'success',
    }
  }
  if (waiting?.state === 'held') {
    return { title: 'Saved, but not public yet', text: 'This page says why, and what you can do.', tone: 'info' }
  }
  if (waiting) {
    return {
      title: 'Script saved',
      text: 'It is public as soon as we have checked it, in a few seconds.',
      tone: 'info',
    }
  }
  return {
    title: 'Script published',
    text: `${is_unlisted ? 'Everyone with the link can see it.' : "It's public."} The code check appears in a few seconds.`,
    tone: 'success',
  }
}

interface Saved {
  version: string
  waiting: WaitingVersion | null
}

/** What happened to a change. Details are live at once; code may wait. */
export function describeSaved({ version, waiting }: Saved, isNewVersion: boolean): ToastMessage {
  if (!isNewVersion) return { title: 'Your changes are live', tone: 'success' }
  if (waiting?.state === 'held') {
    return {
      title: `Version ${waiting.version} waits for you`,
      text: 'Your other changes are live. The page of your script says why the code waits.',
      tone: 'info',
    }
  }
  if (waiting) {
    return { title: `Version ${waiting.version} is being checked`, text: 'Your other changes are live.', tone: 'info' }
  }
  return { title: `Version ${version} published`, tone: 'success' }
}
