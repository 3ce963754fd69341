// The archive that X gives to its users → conversations.
