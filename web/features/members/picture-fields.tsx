import type { Profile } from '#contract/members.ts'
import { MemberAvatar } from '#web/components/member-avatar.tsx'
import { coverArt, DrawnCover } from '#web/components/script-cover.tsx'
import { FormSection } from '#web/ui/form-section.tsx'
import { objectUrl } from '#web/lib/object-url.ts'
import { ImageDrop } from '#web/ui/image-drop.tsx'
import { useToast } from '#web/ui/toast.tsx'
import { validateImage } from './validate-image.ts'
import type { Picture } from './settings-form.ts'
import { displayNameOf } from './display-name.ts'
import type { SettingsPart } from './use-settings.ts'

type Name = 'profile_image' | 'banner_image'

interface Props extends SettingsPart {
  profile: Profile
  refuse: (name: Name, reason: string | undefined) => void
}

/** A member's picture and the banner above their profile, each as it will be seen. */
export function PictureFields({ profile, form, errors, change, refuse }: Props) {
  const toast = useToast()
  const propsOf = (name: Name) => ({
    name,
    error: errors[name],
    preview: addressOf(form[name], profile[name]),
    onFile: (file: File) => {
      const reason = validateImage(file)
      if (reason) toast({ title: reason, tone: 'error' })
      else change({ [name]: file })
      refuse(name, reason)
    },
    onRemove: () => {
      change({ [name]: profile[name] ? 'none' : 'saved' })
      refuse(name, undefined)
    },
  })
  const others = { ...profile, profile_image: null, author_avatar: null }
  return (
    <FormSection title="Pictures" text="PNG, JPEG, WebP, GIF or AVIF, each under 3 MB.">
      <ImageDrop
        {...propsOf('profile_image')}
        label="Profile image"
        help="Without one, your picture at Discord is shown."
        frame="size-28 rounded-full"
        fallback={<MemberAvatar member={others} name={displayNameOf(profile)} size="huge" />}
      />
      <ImageDrop
        {...propsOf('banner_image')}
        label="Banner image"
        help="Stands above your profile; very wide pictures (6:1) fit best. Without one, a pattern is drawn."
        frame="aspect-[3/1] w-full rounded-sm sm:w-72"
        fallback={<DrawnCover art={{ ...coverArt(profile.username), letters: '' }} />}
      />
    </FormSection>
  )
}

function addressOf(picture: Picture, saved: string | null): string {
  if (picture instanceof Blob) return objectUrl(picture)
  return picture === 'saved' ? (saved ?? '') : ''
}
