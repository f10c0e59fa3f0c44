export const coverMessages = {
  notAnImage: 'Please select an image file.',
  tooLarge: 'Image too large. Please use an image under ~3MB.',
}
