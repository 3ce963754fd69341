// Copies of photos, posters, avatars and videos, in the store.
