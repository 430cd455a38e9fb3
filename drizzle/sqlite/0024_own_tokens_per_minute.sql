ALTER TABLE `tokens` ADD `tokens_per_minute` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `tokens_per_minute` integer DEFAULT 0 NOT NULL;