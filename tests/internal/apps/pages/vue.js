Vue.createApp({
  data: () => ({ rung: false }),
  template: `<button @click="rung = true">{{ rung ? 'rung once' : 'ring' }}</button>`,
}).mount('#app')
