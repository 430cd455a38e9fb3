ALTER TABLE `users` ADD `username_folded` text;--> statement-breakpoint
ALTER TABLE `users` ADD `username_twin` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `users_folded` ON `users` (`username_folded`,`username_twin`);--> statement-breakpoint
CREATE INDEX `users_twins` ON `users` (`username_twin`) WHERE "users"."username_twin" <> 0;